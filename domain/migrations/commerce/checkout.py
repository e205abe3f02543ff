"""Drafts of the checkout, links to carts."""

import sqlalchemy as sa

from domain.migrations.columns import DIGEST, KEY, create_table, optional, required
from domain.tables.base import UTCTime

TABLES = ("checkout_drafts", "cart_links")


def create() -> None:
    _checkout_drafts()
    _cart_links()


def _checkout_drafts() -> None:
    create_table(
        "checkout_drafts",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE"), unique=True),
        required("values", sa.JSON()),
        required("rendered", sa.JSON()),
        required("changed_at", UTCTime()),
        required("expires_at", UTCTime(), index=True),
    )


def _cart_links() -> None:
    create_table(
        "cart_links",
        required("id", KEY, primary_key=True),
        required("digest", DIGEST, unique=True),
        required("lines", sa.JSON()),
        optional("coupon_id", KEY, sa.ForeignKey("coupons.id"), index=True),
        required("expires_at", UTCTime(), index=True),
    )

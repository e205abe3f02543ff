"""Coupons with their uses, carts and wishlists."""

import sqlalchemy as sa

from domain.migrations.columns import CENTS, DIGEST, FOLDED, KEY, create_table, optional, required
from domain.tables.base import UTCTime

TABLES = ("coupons", "coupon_products", "coupon_uses", "carts", "cart_lines", "wishlist_entries")


def create() -> None:
    _coupons()
    _coupon_products()
    create_coupon_uses()
    _carts()
    _cart_lines()
    _wishlist_entries()


def _coupons() -> None:
    create_table(
        "coupons",
        required("id", KEY, primary_key=True),
        required("code", FOLDED, unique=True),
        required("display_code", sa.String(64)),
        required("kind", sa.String(10)),
        required("value", CENTS),
        required("minimum", CENTS),
        required("applies_to", sa.String(10)),
        optional("category_id", KEY, sa.ForeignKey("categories.id")),
        optional("starts_at", UTCTime()),
        optional("ends_at", UTCTime()),
        optional("total_limit", sa.Integer()),
        optional("learner_limit", sa.Integer()),
        optional("organisation_id", KEY, sa.ForeignKey("organisations.id")),
        required("is_special", sa.Boolean()),
        required("campaign", sa.String(100)),
        required("state", sa.String(10)),
        required("uses", sa.Integer()),
        required("created_at", UTCTime()),
        sa.CheckConstraint("value > 0 AND minimum >= 0 AND uses >= 0", name="amounts"),
        sa.CheckConstraint("applies_to IN ('all', 'course', 'item', 'category')", name="applies_to"),
        sa.CheckConstraint("kind IN ('percent', 'amount')", name="kind"),
        sa.CheckConstraint("state IN ('draft', 'active', 'paused', 'ended')", name="state"),
        sa.Index("ix_coupons_campaign", "campaign"),
        sa.Index("ix_coupons_special", "is_special", "state"),
    )


def _coupon_products() -> None:
    create_table(
        "coupon_products",
        required("coupon_id", KEY, sa.ForeignKey("coupons.id", ondelete="CASCADE"), primary_key=True),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True),
    )


def create_coupon_uses() -> None:
    create_table(
        "coupon_uses",
        required("id", KEY, primary_key=True),
        required("coupon_id", KEY, sa.ForeignKey("coupons.id")),
        required("learner_id", KEY, sa.ForeignKey("learners.id")),
        required("product_id", KEY),
        required("order_id", KEY),
        required("slot", sa.Integer()),
        required("state", sa.String(10)),
        required("reserved_at", UTCTime()),
        optional("expires_at", UTCTime()),
        sa.CheckConstraint("slot > 0", name="slot"),
        sa.CheckConstraint("state IN ('reserved', 'committed')", name="state"),
        sa.UniqueConstraint("coupon_id", "learner_id", "product_id", "order_id"),
        sa.UniqueConstraint("coupon_id", "learner_id", "slot"),
        sa.Index("ix_coupon_uses_expiring", "coupon_id", "state", "expires_at"),
        sa.Index("ix_coupon_uses_learner_id_product_id", "learner_id", "product_id"),
        sa.Index("ix_coupon_uses_order_id", "order_id"),
    )


def _carts() -> None:
    create_table(
        "carts",
        required("id", KEY, primary_key=True),
        optional("learner_id", KEY, sa.ForeignKey("learners.id"), unique=True),
        optional("guest_key", DIGEST, unique=True),
        optional("coupon_id", KEY, sa.ForeignKey("coupons.id")),
        optional("expires_at", UTCTime(), index=True),
        sa.CheckConstraint("(learner_id IS NULL) <> (guest_key IS NULL)", name="owner"),
    )


def _cart_lines() -> None:
    create_table(
        "cart_lines",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE")),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), index=True),
        required("quantity", sa.Integer()),
        optional("coupon_id", KEY, sa.ForeignKey("coupons.id")),
        optional("seen_price", CENTS),
        required("is_saved", sa.Boolean()),
        required("added_at", UTCTime()),
        sa.CheckConstraint("quantity BETWEEN 1 AND 99", name="quantity"),
        sa.UniqueConstraint("learner_id", "product_id"),
    )


def _wishlist_entries() -> None:
    create_table(
        "wishlist_entries",
        required("id", KEY, primary_key=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE")),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), index=True),
        optional("seen_price", CENTS),
        required("added_at", UTCTime()),
        sa.UniqueConstraint("learner_id", "product_id"),
    )

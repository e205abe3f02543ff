"""Prices as they were, are and are planned, and the version of a product for two who edit it at once."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import Money, UTCTime

revision = "0027_prices"
down_revision = "0028_images"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "price_changes",
        required("id", KEY, primary_key=True),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE")),
        required("changed_at", UTCTime()),
        required("starts_at", UTCTime()),
        optional("ends_at", UTCTime()),
        optional("applied_at", UTCTime()),
        required("list_price", Money()),
        optional("sale_price", Money()),
        optional("changed_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("reason", sa.String(500)),
        sa.Index("ix_price_changes_product_id_starts_at", "product_id", "starts_at"),
        sa.Index("ix_price_changes_applied_at_starts_at", "applied_at", "starts_at"),
    )
    op.add_column("products", required("version", sa.Integer(), server_default="1"))


def downgrade() -> None:
    # No batch on SQLite for this one: it would copy the table that others refer to.
    op.drop_column("products", "version")
    op.drop_table("price_changes")

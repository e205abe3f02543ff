"""What changed in the product feed, and cart links whose prices are kept for a day."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, optional, required
from domain.tables.base import Money, UTCTime

revision = "0115_product_feed"
down_revision = "0113_bank_entries"
branch_labels = None
depends_on = None
_WITH_AGENT = ("cart_lines", "cart_links", "order_lines")


def upgrade() -> None:
    create_table(
        "feed_products",
        sa.Column("product_id", KEY, primary_key=True, autoincrement=False),
        required("digest", DIGEST),
        required("number", sa.BigInteger()),
        required("changed_at", UTCTime()),
    )
    for name in ("number", "changed_at"):
        op.create_index(f"ix_feed_products_{name}", "feed_products", [name])
    create_table(
        "feed_state",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        required("number", sa.BigInteger()),
        required("version", sa.BigInteger()),
        required("as_of", UTCTime()),
    )
    for column in (
        optional("promised_list", Money()),
        optional("promised_sale", Money()),
        optional("promised_until", UTCTime()),
    ):
        op.add_column("cart_lines", column)
    op.add_column("cart_links", optional("prices", sa.JSON()))
    for table in _WITH_AGENT:
        op.add_column(table, required("agent", sa.String(64), server_default=""))


def downgrade() -> None:
    for table in _WITH_AGENT:
        op.drop_column(table, "agent")
    op.drop_column("cart_links", "prices")
    for name in ("promised_until", "promised_sale", "promised_list"):
        op.drop_column("cart_lines", name)
    for table in ("feed_state", "feed_products"):
        op.drop_table(table)

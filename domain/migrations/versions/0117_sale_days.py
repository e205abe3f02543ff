"""Sales by day, and how each day was computed."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0117_sale_days"
down_revision = "0116_report_accesses"
branch_labels = None
depends_on = None
FIGURES = (
    *("orders", "lines", "units", "gross_minor", "discount_minor", "tax_minor", "refunded_minor", "net_minor"),
    "returned_minor",
)


def upgrade() -> None:
    create_table(
        "sale_rollups",
        sa.Column("day", sa.Date(), primary_key=True),
        required("zone", sa.String(64)),
        required("version", sa.BigInteger()),
        *(optional(name, UTCTime()) for name in ("built_at", "dirty_at", "checked_at")),
    )
    for name in ("dirty_at", "built_at"):
        op.create_index(f"ix_sale_rollups_{name}", "sale_rollups", [name])
    create_table(
        "sale_days",
        sa.Column("dimension", exact_text(10, ASCII), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("currency", exact_text(3, ASCII), primary_key=True),
        sa.Column("key", FOLDED, primary_key=True),
        *(required(name, sa.BigInteger()) for name in FIGURES),
    )


def downgrade() -> None:
    op.drop_table("sale_days")
    op.drop_table("sale_rollups")

"""What the links of organisations brought, month by month, as it was first shown."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0127_partner_months"
down_revision = "0126_program_links"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "partner_months",
        required(
            "organisation_id",
            KEY,
            sa.ForeignKey("organisations.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        required("month", exact_text(7, ASCII), primary_key=True),
        required("dimension", exact_text(10, ASCII), primary_key=True),
        required("key", exact_text(3, ASCII), primary_key=True),
        required("frozen_at", UTCTime()),
        required("k", sa.Integer()),
        *(optional(name, sa.BigInteger()) for name in ("sessions", "product", "cart", "checkout", "orders")),
        optional("amount_minor", sa.BigInteger()),
    )


def downgrade() -> None:
    op.drop_table("partner_months")

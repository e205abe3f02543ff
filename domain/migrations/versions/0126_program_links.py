"""Cart links that programs made, and the lines of orders that came of them."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0126_program_links"
down_revision = "0125_coupon_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "program_links",
        sa.Column("digest", DIGEST, primary_key=True),
        required("agent", sa.String(64)),
        required("created_at", UTCTime()),
        optional("opened_at", UTCTime()),
    )
    op.create_index("ix_program_links_created_at", "program_links", ["created_at"])
    op.create_index("ix_order_lines_agent", "order_lines", ["agent"])


def downgrade() -> None:
    op.drop_index("ix_order_lines_agent", "order_lines")
    op.drop_table("program_links")

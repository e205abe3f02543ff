"""Orders that came by links, by day. Days of credits are computed again, which fills the table."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, create_table, exact_text, required

revision = "0128_referral_days"
down_revision = "0125_coupon_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "referral_days",
        sa.Column("referrer", exact_text(10, ASCII), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("currency", exact_text(3, ASCII), primary_key=True),
        sa.Column("key", FOLDED, primary_key=True),
        required("orders", sa.Integer()),
        required("net_minor", sa.BigInteger()),
        required("own_orders", sa.Integer()),
        required("own_net_minor", sa.BigInteger()),
        sqlite_with_rowid=False,
    )
    op.execute("UPDATE credit_rollups SET built_at = NULL")


def downgrade() -> None:
    op.drop_table("referral_days")

"""Orders by links and by codes, and learners by their first order, by day. Days of credits are computed again, which
fills these tables."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, KEY, create_table, exact_text, required
from domain.tables.base import UTCTime

revision = "0128_referral_days"
down_revision = "0127_partner_months"
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
    create_table(
        "first_channels",
        required("order_id", KEY, primary_key=True, autoincrement=False),
        required("channel", exact_text(20, ASCII)),
    )
    create_table(
        "cohort_days",
        sa.Column("calendar", exact_text(10, ASCII), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("channel", exact_text(20, ASCII), primary_key=True),
        *(sa.Column(name, sa.Date(), primary_key=True) for name in ("start", "part")),
        sa.Column("currency", exact_text(3, ASCII), primary_key=True),
        *(required(name, sa.Integer()) for name in ("buyers", "new", "back")),
        required("net_minor", sa.BigInteger()),
        sqlite_with_rowid=False,
    )
    create_table(
        "coded_orders",
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("currency", exact_text(3, ASCII), primary_key=True),
        sa.Column("code", FOLDED, primary_key=True),
        required("order_id", KEY, primary_key=True, autoincrement=False),
        required("learner_id", KEY),
        required("paid_at", UTCTime()),
        required("is_first", sa.Boolean()),
        sqlite_with_rowid=False,
    )
    op.execute("UPDATE credit_rollups SET built_at = NULL")


def downgrade() -> None:
    for name in ("coded_orders", "cohort_days", "first_channels", "referral_days"):
        op.drop_table(name)

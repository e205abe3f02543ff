"""Hours of coupons, the sessions of orders, and trials of the special offer."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0125_coupon_days"
down_revision = "0124_search_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "coupon_hours",
        required("day", sa.Date(), primary_key=True),
        required("hour", UTCTime(), primary_key=True),
        required("coupon", FOLDED, primary_key=True),
        *(required(name, sa.Integer()) for name in ("sessions", "networks", "referrer_hosts")),
    )
    op.create_index("ix_coupon_hours_coupon_hour", "coupon_hours", ["coupon", "hour"])
    create_table(
        "order_sessions",
        required("day", sa.Date(), primary_key=True),
        required("order_id", KEY, primary_key=True, autoincrement=False),
        required("began_at", UTCTime()),
    )
    op.create_index("ix_order_sessions_began_at", "order_sessions", ["began_at"])
    create_table(
        "coupon_trials",
        required("id", KEY, primary_key=True),
        required("coupon_id", KEY, sa.ForeignKey("coupons.id", ondelete="CASCADE")),
        required("starts_at", UTCTime()),
        required("ends_at", UTCTime()),
        required("block_hours", sa.SmallInteger()),
        required("seed", exact_text(32, ASCII)),
        optional("created_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("created_at", UTCTime()),
        optional("stopped_at", UTCTime()),
        sa.CheckConstraint("block_hours BETWEEN 4 AND 168 AND ends_at > starts_at", name="blocks"),
        sa.Index("ix_coupon_trials_coupon_id", "coupon_id"),
        sa.Index("ix_coupon_trials_ends_at", "ends_at"),
    )


def downgrade() -> None:
    for name in ("coupon_trials", "order_sessions", "coupon_hours"):
        op.drop_table(name)

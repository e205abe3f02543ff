"""Searches without results that staff have dismissed."""

import sqlalchemy as sa
from alembic import op

from domain.tables.base import BigKey, UTCTime, exact_text

revision = "0102_dismissed_searches"
down_revision = "0101_coupons_once_per_order"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dismissed_searches",
        sa.Column("id", BigKey, primary_key=True),
        sa.Column("query", exact_text(200), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("dismissed_at", UTCTime(), nullable=False),
        sa.UniqueConstraint("query", name="uq_dismissed_searches_query"),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_unicode_ci",
        mysql_engine="InnoDB",
    )


def downgrade() -> None:
    op.drop_table("dismissed_searches")

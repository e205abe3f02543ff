"""When the database was last copied, a restore last tested, and since when each secret is as it is."""

import sqlalchemy as sa
from alembic import op

from domain.tables.base import BigKey, UTCTime, exact_text

revision = "0106_upkeep"
down_revision = "0105_confirmations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "upkeep",
        sa.Column("id", BigKey, primary_key=True),
        sa.Column("name", exact_text(80), nullable=False),
        sa.Column("at", UTCTime(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.UniqueConstraint("name", name="uq_upkeep_name"),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_unicode_ci",
        mysql_engine="InnoDB",
    )


def downgrade() -> None:
    op.drop_table("upkeep")

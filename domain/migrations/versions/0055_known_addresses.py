"""The addresses of each learner's last order, with which their next checkout begins."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import create_table, required
from domain.tables.base import BigKey, UTCTime

revision = "0055_known_addresses"
down_revision = "0054_newest_rows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "known_addresses",
        required("learner_id", BigKey, sa.ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True),
        required("values", sa.JSON()),
        required("ordered_at", UTCTime()),
    )


def downgrade() -> None:
    op.drop_table("known_addresses")

"""Visits are found by their time and by their learner alone: an index on sessions costs more with each row."""

from alembic import op

revision = "0132_visits_by_time"
down_revision = "0131_served_days"
branch_labels = None
depends_on = None

_NAME = "ix_visits_session_id_visited_at"


def upgrade() -> None:
    op.drop_index(_NAME, "visits")


def downgrade() -> None:
    op.create_index(_NAME, "visits", ["session_id", "visited_at"])

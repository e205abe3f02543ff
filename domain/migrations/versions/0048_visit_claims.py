"""By which claims of a browser visits are found when an account is deleted."""

from alembic import op

revision = "0048_visit_claims"
down_revision = "0047_done_lesson_ids"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_visits_claimed_id", "visits", ["claimed_id"])


def downgrade() -> None:
    op.drop_index("ix_visits_claimed_id", "visits")

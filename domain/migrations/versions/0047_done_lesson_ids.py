"""Which lessons of a course a learner has done, beside how many: lists of courses need them of each."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional

revision = "0047_done_lesson_ids"
down_revision = "0046_member_counts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("enrolments", optional("done_lesson_ids", sa.Text()))
    op.execute(
        "UPDATE enrolments SET done_lesson_ids = (SELECT group_concat(lesson_id) FROM lesson_progress WHERE "
        "lesson_progress.learner_id = enrolments.learner_id AND lesson_progress.course_id = enrolments.product_id "
        "AND is_done) WHERE started_at IS NOT NULL"
    )


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table, and delete the grants that refer to it.
    op.execute("ALTER TABLE enrolments DROP COLUMN done_lesson_ids")

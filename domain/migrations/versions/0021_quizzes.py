"""Attempts at quizzes, notes in lessons, when a lesson was added, and who completed a course by hand."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, LONG_TEXT, UUID_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0021_quizzes"
down_revision = "0020_certificates"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "quiz_attempts",
        required("id", KEY, primary_key=True),
        required("event_id", UUID_TEXT),
        required("learner_id", KEY, sa.ForeignKey("learners.id", ondelete="CASCADE")),
        required("lesson_id", KEY, sa.ForeignKey("lessons.id", ondelete="CASCADE"), index=True),
        required("number", sa.Integer()),
        required("revision", sa.Integer()),
        required("answers", sa.JSON()),
        required("marks", sa.JSON()),
        required("score", sa.Integer()),
        required("is_passed", sa.Boolean()),
        required("attempted_at", UTCTime()),
        sa.UniqueConstraint("learner_id", "event_id"),
        sa.UniqueConstraint("learner_id", "lesson_id", "number"),
    )
    create_table(
        "lesson_notes",
        _part_of_key("learner_id", "learners.id"),
        _part_of_key("lesson_id", "lessons.id", index=True),
        required("body", LONG_TEXT),
        required("version", sa.Integer()),
        required("updated_at", UTCTime()),
    )
    op.add_column("lessons", optional("added_at", UTCTime()))
    op.add_column("enrolments", optional("completed_by", sa.BigInteger()))
    op.add_column("enrolments", optional("completion_reason", sa.String(500)))


def downgrade() -> None:
    with op.batch_alter_table("enrolments") as enrolments:
        for name in ("completion_reason", "completed_by"):
            enrolments.drop_column(name)
    with op.batch_alter_table("lessons") as lessons:
        lessons.drop_column("added_at")
    for table in ("lesson_notes", "quiz_attempts"):
        op.drop_table(table)


def _part_of_key(name: str, target: str, **options: bool) -> sa.Column[int]:
    key = sa.ForeignKey(target, ondelete="CASCADE")
    return required(name, KEY, key, primary_key=True, autoincrement=False, **options)

"""Progress counted per enrolment, and the rule by which a course is completed.

The column `progress` of the build before was never written; it comes back empty.
"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0017_progress"
down_revision = "0016_lessons"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.drop_column("progress")
        for name in ("started_at", "last_active_at"):
            enrolments.add_column(optional(name, UTCTime()))
        enrolments.add_column(optional("last_lesson_id", sa.BigInteger()))
        for name in ("done_lessons", "rule_version"):
            enrolments.add_column(required(name, sa.Integer(), server_default="0"))
        enrolments.create_index("ix_enrolments_learner_id_last_active_at", ["learner_id", "last_active_at"])
    create_table(
        "completion_rules",
        required(
            "course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("version", sa.Integer()),
        required("required_percent", sa.Integer()),
        required("quizzes", sa.String(10)),
        required("pass_mark", sa.Integer()),
        required("has_certificate", sa.Boolean()),
        optional("valid_months", sa.Integer()),
        required("changed_at", UTCTime()),
        sa.CheckConstraint("quizzes IN ('passed', 'attempted', 'none')", name="quizzes"),
        sa.CheckConstraint("required_percent BETWEEN 1 AND 100", name="required_percent"),
        sa.CheckConstraint("pass_mark BETWEEN 0 AND 100", name="pass_mark"),
    )


def downgrade() -> None:
    op.drop_table("completion_rules")
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.drop_index("ix_enrolments_learner_id_last_active_at")
        for name in ("rule_version", "done_lessons", "last_lesson_id", "last_active_at", "started_at"):
            enrolments.drop_column(name)
        enrolments.add_column(required("progress", sa.JSON(), server_default="{}"))
    with op.batch_alter_table("enrolments") as enrolments:
        enrolments.alter_column("progress", existing_type=sa.JSON(), existing_nullable=False, server_default=None)

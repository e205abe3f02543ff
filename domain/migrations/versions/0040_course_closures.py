"""Courses to which access ends for legal reasons, on a day that is announced."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0040_course_closures"
down_revision = "0039_visit_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "course_closures",
        required(
            "course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("announced_at", UTCTime()),
        required("ends_at", UTCTime()),
        required("reason", sa.String(500)),
        optional("cancelled_at", UTCTime()),
    )


def downgrade() -> None:
    op.drop_table("course_closures")

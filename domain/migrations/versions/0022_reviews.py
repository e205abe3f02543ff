"""Reviews of learners beside those that import or seed brought, whose stars become the base of each course.

The way back deletes the reviews of learners; stars stay as they were counted last.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0022_reviews"
down_revision = "0021_quizzes"
branch_labels = None
depends_on = None

_COURSES = sa.table("courses", *map(sa.column, ("id", "base_rating", "base_rating_count")))
_REVIEWS = sa.table("reviews", *map(sa.column, ("course_id", "rating", "is_verified")))
_LEARNER_KEY = "fk_reviews_learner_id_learners"
_STATES = "state IN ('published', 'pending', 'hidden')"


def upgrade() -> None:
    with op.batch_alter_table("reviews") as reviews:
        reviews.add_column(optional("learner_id", KEY))
        reviews.add_column(required("state", sa.String(10), server_default="published"))
        reviews.add_column(required("is_verified", sa.Boolean(), server_default=sa.false()))
        reviews.add_column(optional("edited_at", UTCTime()))
        reviews.add_column(required("hidden_reason", sa.String(500), server_default=""))
        reviews.create_unique_constraint("uq_reviews_learner_id_course_id", ["learner_id", "course_id"])
        reviews.create_foreign_key(_LEARNER_KEY, "learners", ["learner_id"], ["id"], ondelete="SET NULL")
        reviews.create_check_constraint("state", _STATES)
    create_table(
        "review_reports",
        _part_of_key("review_id", "reviews.id"),
        _part_of_key("learner_id", "learners.id", index=True),
        required("reason", sa.String(500)),
        required("reported_at", UTCTime()),
    )
    with op.batch_alter_table("courses") as courses:
        courses.add_column(optional("base_rating", sa.Numeric(11, 10)))
        courses.add_column(required("base_rating_count", sa.Integer(), server_default="0"))
        courses.add_column(optional("reviews_changed_at", UTCTime()))
        courses.create_index("ix_courses_reviews_changed_at", ["reviews_changed_at"])
    _count_stars()


def _part_of_key(name: str, target: str, *, index: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey(target, ondelete="CASCADE")
    return required(name, KEY, key, primary_key=True, autoincrement=False, index=index)


def _count_stars() -> None:
    """All reviews so far came by import or seed."""
    of_course = sa.select(_REVIEWS.c.course_id, sa.func.sum(_REVIEWS.c.rating), sa.func.count())
    counted = op.get_bind().execute(of_course.group_by(_REVIEWS.c.course_id)).all()
    rows = [{"row_id": key, "mean": int(total) / count, "number": count} for key, total, count in counted]
    if rows:
        changed = sa.update(_COURSES).where(_COURSES.c.id == sa.bindparam("row_id"))
        values: Any = {"base_rating": sa.bindparam("mean"), "base_rating_count": sa.bindparam("number")}
        op.get_bind().execute(changed.values(values), rows)


def downgrade() -> None:
    with op.batch_alter_table("courses") as courses:
        courses.drop_index("ix_courses_reviews_changed_at")
        for name in ("reviews_changed_at", "base_rating_count", "base_rating"):
            courses.drop_column(name)
    op.drop_table("review_reports")
    op.execute(sa.delete(_REVIEWS).where(_REVIEWS.c.is_verified.is_(sa.true())))
    with op.batch_alter_table("reviews") as reviews:
        reviews.drop_constraint("state", type_="check")
        reviews.drop_constraint(_LEARNER_KEY, type_="foreignkey")
        reviews.drop_constraint("uq_reviews_learner_id_course_id", type_="unique")
        for name in ("hidden_reason", "edited_at", "is_verified", "state", "learner_id"):
            reviews.drop_column(name)

"""The stars of courses: those of the reviews that import or seed brought, and of learners' published reviews, together.
Only this module writes `products.rating` and its count."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, cast

from sqlalchemy import Table, bindparam, func, select, update
from sqlalchemy.orm import Session

from domain.tables import Course, Product, Review

COURSES = cast(Table, Course.__table__)
PRODUCTS = cast(Table, Product.__table__)
_REVIEWS = cast(Table, Review.__table__)
_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Stars:
    """The sum of the stars of so many reviews."""

    total: Decimal = Decimal(0)
    count: int = 0

    @property
    def rating(self) -> float | None:
        """The mean, with two decimals; None without reviews."""
        return float((self.total / self.count).quantize(_HUNDREDTH, ROUND_HALF_UP)) if self.count else None


def put_base(session: Session, course_ids: Collection[int], *, is_locking: bool = False) -> None:
    """Count what import or seed brought to these courses anew. `is_locking`: the newest reviews, for a transaction
    whose snapshot may be older than its lock of the course."""
    counted = _published(session, course_ids, is_verified=False, is_locking=is_locking)
    rows = [
        {"row_id": key, "mean": stars.total / stars.count if stars.count else None, "number": stars.count}
        for key in sorted(course_ids)
        for stars in [counted.get(key, Stars())]
    ]
    if rows:
        changed = update(COURSES).where(COURSES.c.id == bindparam("row_id"))
        values: Any = {"base_rating": bindparam("mean"), "base_rating_count": bindparam("number")}
        session.connection().execute(changed.values(values), rows)
        session.expire_all()


def put_ratings(session: Session, course_ids: Collection[int]) -> None:
    """Store the stars of these courses as they are now."""
    rows = [
        {"row_id": key, "stars": stars.rating, "number": stars.count}
        for key, stars in stars_of(session, course_ids).items()
    ]
    if rows:
        changed = update(PRODUCTS).where(PRODUCTS.c.id == bindparam("row_id"))
        values: Any = {"rating": bindparam("stars"), "rating_count": bindparam("number")}
        session.connection().execute(changed.values(values), rows)
        session.expire_all()


def stars_of(session: Session, course_ids: Collection[int]) -> dict[int, Stars]:
    """By course, in the order of their ids, so that two transactions lock their rows in the same order."""
    learners = _published(session, course_ids, is_verified=True)
    query = select(COURSES.c.id, COURSES.c.base_rating, COURSES.c.base_rating_count)
    result = {}
    for key, mean, count in session.execute(query.where(COURSES.c.id.in_(course_ids)).order_by(COURSES.c.id)):
        base = Stars(Decimal(round((mean or 0) * count)), count)
        added = learners.get(key, Stars())
        result[key] = Stars(base.total + added.total, base.count + added.count)
    return result


def _published(
    session: Session, course_ids: Collection[int], *, is_verified: bool, is_locking: bool = False
) -> Mapping[int, Stars]:
    columns = select(_REVIEWS.c.course_id, func.sum(_REVIEWS.c.rating), func.count())
    counted = columns.where(
        _REVIEWS.c.course_id.in_(course_ids), _REVIEWS.c.state == "published", _REVIEWS.c.is_verified.is_(is_verified)
    )
    by_course = counted.group_by(_REVIEWS.c.course_id)
    rows = session.execute(by_course.with_for_update(read=True) if is_locking else by_course)
    return {key: Stars(Decimal(int(total)), count) for key, total, count in rows}

"""The pages of instructors: who they are, and which of their courses are on sale. Without one they have no page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain.catalogue.details import InstructorRow
from domain.catalogue.listing import version
from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.tables import CourseInstructor, Instructor, Product

# What a page shows of somebody who teaches more.
MOST_COURSES = 48
# As many as a sitemap lists.
MOST_PAGES = 10_000


@dataclass(frozen=True)
class InstructorDetail:
    """`course_ids`: the most popular first, at most MOST_COURSES of the `course_count`. `rating`: the mean of all
    ratings of the courses, None without one. `version`: that of the catalogue it was read with."""

    person: InstructorRow
    course_ids: Sequence[int]
    course_count: int
    rating: float | None
    rating_count: int
    version: int


def instructor(session: Session, slug: str, scope: CatalogueScope | None) -> InstructorDetail | None:
    """None for an unknown slug, and without a course on sale within the scope."""
    read_version = version(session)
    columns = (getattr(Instructor, name) for name in InstructorRow._fields)
    row = session.execute(select(Instructor.id, *columns).where(Instructor.slug == slug)).one_or_none()
    # MariaDB ignores trailing spaces in comparisons.
    if row is None or row.slug != slug:
        return None
    courses = _courses(row.id, scope)
    sums = courses.with_only_columns(
        func.count(), func.sum(Product.rating * Product.rating_count), func.sum(Product.rating_count)
    )
    count, points, ratings = session.execute(sums).one()
    if count == 0:
        return None
    popular = courses.with_only_columns(Product.id).order_by(Product.popularity.desc(), Product.id.desc())
    ids = session.scalars(popular.limit(MOST_COURSES)).all()
    rating = float(points) / int(ratings) if points and ratings else None
    return InstructorDetail(InstructorRow._make(row[1:]), ids, count, rating, int(ratings or 0), read_version)


def _courses(instructor_id: int, scope: CatalogueScope | None) -> Select[Any]:
    return (
        select(Product.id)
        .join(CourseInstructor, CourseInstructor.course_id == Product.id)
        .where(CourseInstructor.instructor_id == instructor_id, Product.status == "published", *scope_conditions(scope))
    )


def last_changes(session: Session) -> list[tuple[str, datetime]]:
    """The slug of everybody with a page, and when one of their courses changed last: for the sitemap."""
    changed = (
        select(Instructor.slug, func.max(Product.updated_at))
        .join(CourseInstructor, CourseInstructor.instructor_id == Instructor.id)
        .join(Product, Product.id == CourseInstructor.course_id)
        .where(Product.status == "published")
        .group_by(Instructor.slug)
        .order_by(Instructor.slug)
        .limit(MOST_PAGES)
    )
    return [(slug, at) for slug, at in session.execute(changed)]

"""Rows related to products: instructors and reviews of a course, and successors of retired products."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.learning.reviews import ratings
from domain.publishing.categories import instructor_ids
from domain.publishing.product_changes import PRODUCTS, ProductChange
from domain.publishing.records import CourseRecord, Json, ReviewRecord
from domain.tables import CourseInstructor, Review

# No source gives reviews an id: the same text of the same author is the same review.
_REVIEW_IDENTITY = ("course_id", "author", "rating", "title", "body")


def compare_instructors(session: Session, changes: list[ProductChange], records: Sequence[CourseRecord]) -> None:
    """Add the instructors to changes whose record names them, so that they are compared like columns."""
    named = [
        (change, record.instructors)
        for change, record in zip(changes, records, strict=True)
        if record.instructors is not None
    ]
    if not named:
        return
    ids = instructor_ids(session, {slug for _, slugs in named for slug in slugs})
    query = select(CourseInstructor.course_id, CourseInstructor.instructor_id).order_by(CourseInstructor.position)
    present: dict[int, list[int]] = {}
    for course, instructor in session.execute(query.where(CourseInstructor.course_id.in_(_stored_ids(changes)))):
        present.setdefault(course, []).append(instructor)
    for change, slugs in named:
        change.row["instructors"] = [ids[slug] for slug in slugs]
        if change.stored is not None:
            change.stored["instructors"] = present.get(change.id, [])


def write_instructors(session: Session, changes: list[ProductChange]) -> None:
    pending = [change for change in changes if "instructors" in change.row and _instructors_differ(change)]
    if not pending:
        return
    session.execute(delete(CourseInstructor).where(CourseInstructor.course_id.in_(_stored_ids(pending))))
    rows = [
        {"course_id": change.id, "instructor_id": instructor, "position": position}
        for change in pending
        for position, instructor in enumerate(change.row["instructors"])
    ]
    if rows:
        session.execute(insert(CourseInstructor), rows)


def add_reviews(session: Session, reviews: Mapping[int, Iterable[ReviewRecord]]) -> bool:
    """Add the missing ones of `reviews` (by course id); True when one was added. Stored reviews stay as they are, also
    those that a moderator has hidden."""
    wanted = [_review_row(course, review) for course, records in reviews.items() for review in records]
    if not wanted:
        return False
    columns = select(*(Review.__table__.c[name] for name in _REVIEW_IDENTITY))
    of_courses = Review.course_id.in_({row["course_id"] for row in wanted})
    stored = session.execute(columns.where(of_courses, Review.is_verified.is_(False)))
    present = {tuple(row) for row in stored}
    new = [row for row in wanted if tuple(row[name] for name in _REVIEW_IDENTITY) not in present]
    if not new:
        return False
    session.execute(insert(Review), new)
    courses = {row["course_id"] for row in new}
    ratings.put_base(session, courses)
    ratings.put_ratings(session, courses)
    return True


def _review_row(course_id: int, review: ReviewRecord) -> Json:
    return {
        "course_id": course_id,
        "author": review.author,
        "rating": review.rating,
        "title": review.title,
        "body": review.body,
        "reviewed_at": review.at,
    }


def link_successors(session: Session, changes: list[ProductChange]) -> bool:
    """Set the successors, after all products of the batch are stored; True when one changed."""
    pending = [
        change
        for change in changes
        if ("successor_id" not in change.record.preserved_fields or _is_sold_again(change))
        and (change.record.successor or _stored_successor(change))
    ]
    if not pending:
        return False
    slugs = {change.record.successor for change in pending if change.record.successor}
    query = select(PRODUCTS.c.slug, PRODUCTS.c.id).where(PRODUCTS.c.slug.in_(slugs))
    ids = dict(session.execute(query.where(PRODUCTS.c.kind == pending[0].row["kind"])).all())
    if missing := slugs - ids.keys():
        raise NotFound(f"There is no successor {', '.join(sorted(missing))}.")
    wanted = {change.id: ids[change.record.successor] if change.record.successor else None for change in pending}
    rows = [
        {"row_id": change.id, "successor_id": wanted[change.id]}
        for change in pending
        if wanted[change.id] != _stored_successor(change)
    ]
    if rows:
        statement = update(PRODUCTS).where(PRODUCTS.c.id == bindparam("row_id"))
        session.connection().execute(statement.values(successor_id=bindparam("successor_id")), rows)
    return bool(rows)


def _is_sold_again(change: ProductChange) -> bool:
    """What is sold again needs no successor."""
    was_retired = change.stored is not None and change.stored["status"] == "retired"
    return was_retired and change.row["status"] != "retired"


def _stored_successor(change: ProductChange) -> int | None:
    return None if change.stored is None else change.stored["successor_id"]


def _instructors_differ(change: ProductChange) -> bool:
    return change.stored is None or change.stored["instructors"] != change.row["instructors"]


def _stored_ids(changes: list[ProductChange]) -> list[int]:
    return [change.id for change in changes if change.stored is not None]

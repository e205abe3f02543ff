"""What hangs on products: a course's instructors, reviews and rating, and what follows a retired product."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.publishing.lines import PRODUCTS, Line
from domain.publishing.records import CourseRecord, Json, ReviewRecord
from domain.publishing.shelves import instructor_ids
from domain.tables import CourseInstructor, Review


def compare_instructors(session: Session, lines: list[Line], records: Sequence[CourseRecord]) -> None:
    """Puts the instructors beside the columns of those lines whose record names some, so that they are compared too."""
    named = [
        (line, record.instructors)
        for line, record in zip(lines, records, strict=True)
        if record.instructors is not None
    ]
    if not named:
        return
    ids = instructor_ids(session, {slug for _, slugs in named for slug in slugs})
    query = select(CourseInstructor.course_id, CourseInstructor.instructor_id).order_by(CourseInstructor.position)
    present: dict[int, list[int]] = {}
    for course, instructor in session.execute(query.where(CourseInstructor.course_id.in_(_stored_ids(lines)))):
        present.setdefault(course, []).append(instructor)
    for line, slugs in named:
        line.row["instructors"] = [ids[slug] for slug in slugs]
        if line.stored is not None:
            line.stored["instructors"] = present.get(line.id, [])


def write_instructors(session: Session, lines: list[Line]) -> None:
    pending = [line for line in lines if "instructors" in line.row and _teaching_differs(line)]
    if not pending:
        return
    session.execute(delete(CourseInstructor).where(CourseInstructor.course_id.in_(_stored_ids(pending))))
    rows = [
        {"course_id": line.id, "instructor_id": instructor, "position": position}
        for line in pending
        for position, instructor in enumerate(line.row["instructors"])
    ]
    if rows:
        session.execute(insert(CourseInstructor), rows)


def add_reviews(session: Session, reviews: Mapping[int, Iterable[ReviewRecord]]) -> bool:
    """Course id -> reviews it should have; those that are there stay as they are. True when one was added.

    A review has no id of its own in any source: the same words of the same author are the same review.
    """
    wanted = {course: list(some) for course, some in reviews.items() if some}
    if not wanted:
        return False
    words = select(Review.course_id, Review.author, Review.rating, Review.title, Review.body)
    present = {tuple(row) for row in session.execute(words.where(Review.course_id.in_(wanted)))}
    new: list[Json] = [
        {"course_id": course, "author": it.author, "rating": it.rating, "title": it.title, "body": it.body, "at": it.at}
        for course, some in wanted.items()
        for it in some
        if (course, it.author, it.rating, it.title, it.body) not in present
    ]
    if not new:
        return False
    session.execute(insert(Review), new)
    rate(session, {row["course_id"] for row in new})
    return True


def rate(session: Session, courses: set[int]) -> None:
    """Counts the rating of these courses again from all their reviews."""
    query = select(Review.course_id, func.sum(Review.rating), func.count()).group_by(Review.course_id)
    rows = [
        {"row_id": course, "rating": round(int(total) / count, 2), "rating_count": count}
        for course, total, count in session.execute(query.where(Review.course_id.in_(courses)))
    ]
    statement = update(PRODUCTS).where(PRODUCTS.c.id == bindparam("row_id"))
    session.connection().execute(
        statement.values(rating=bindparam("rating"), rating_count=bindparam("rating_count")), rows
    )
    session.expire_all()


def link_successors(session: Session, lines: list[Line]) -> bool:
    """Afterwards, because a successor may come in the same batch. True when a link changed."""
    pending = [
        line for line in lines if "successor_id" not in line.record.keep and (line.record.successor or _followed(line))
    ]
    if not pending:
        return False
    slugs = {line.record.successor for line in pending if line.record.successor}
    query = select(PRODUCTS.c.slug, PRODUCTS.c.id).where(PRODUCTS.c.slug.in_(slugs))
    ids = dict(session.execute(query.where(PRODUCTS.c.kind == pending[0].row["kind"])).all())
    if missing := slugs - ids.keys():
        raise NotFound(f"There is no successor {', '.join(sorted(missing))}.")
    wanted = {line.id: ids[line.record.successor] if line.record.successor else None for line in pending}
    rows = [
        {"row_id": line.id, "successor_id": wanted[line.id]} for line in pending if wanted[line.id] != _followed(line)
    ]
    if rows:
        statement = update(PRODUCTS).where(PRODUCTS.c.id == bindparam("row_id"))
        session.connection().execute(statement.values(successor_id=bindparam("successor_id")), rows)
    return bool(rows)


def _followed(line: Line) -> int | None:
    return None if line.stored is None else line.stored["successor_id"]


def _teaching_differs(line: Line) -> bool:
    return line.stored is None or line.stored["instructors"] != line.row["instructors"]


def _stored_ids(lines: list[Line]) -> list[int]:
    return [line.id for line in lines if line.stored is not None]

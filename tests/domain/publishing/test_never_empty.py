"""Whoever writes a course that is sold, nobody who buys it finds it empty; and it promises the lessons that it has."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.database.database import Database
from domain.publishing import lessons as publishing_lessons
from domain.publishing import writer as publishing_writer
from domain.publishing.editing import course_outline, publication
from domain.publishing.editing.stored_course import Edit
from domain.publishing.records import CourseRecord, LessonRecord, SectionRecord
from domain.tables import Course, Lesson, LessonBody, Product
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

LATER = NOON + timedelta(days=1)
WRITTEN = (SectionRecord("All", (LessonRecord("One", 5, body={"text": "Read."}),)),)
RECORD = CourseRecord(
    slug="vat",
    name="VAT",
    category="tax",
    list_price=Decimal(10),
    subtitle="About VAT.",
    duration_min=60,
    status="published",
)
ROWS = "title,category,price,status,lessons,minutes\nVAT,tax,10,published,12,60\n"
EDITOR = factories.actor(1, "editor", at=NOON)
Writer = Callable[[Session], object]


def act(session: Session, change: Callable, *args):
    return recording.run(session, EDITOR, change, *args)


def course_id(session: Session) -> int:
    return session.scalars(select(Product.id).order_by(Product.id.desc())).first()


def put(session: Session, **changes) -> int:
    return publishing_writer.put_course(session, replace(RECORD, **changes), NOON)


def publish_copy(session: Session) -> None:
    copy = act(session, publication.duplicate, Edit(EDITOR, put(session, outline=WRITTEN)))
    act(session, publication.publish, Edit(EDITOR, copy), None, True)


def publish_by_plan(session: Session) -> None:
    key = put(session, status="draft")
    act(session, publication.publish, Edit(EDITOR, key), LATER, True)
    factories.run_as_system(session, publication.publish_due, key, LATER)


def empty(session: Session) -> None:
    """Staff take all lessons out."""
    key = put(session, outline=WRITTEN)
    edited = course_outline.read_outline(session, key)
    act(session, course_outline.change_outline, Edit(EDITOR, key, 1), replace(edited, sections=()))


def retire_and_sell_again(session: Session) -> None:
    key = put(session)
    act(session, publication.retire, Edit(EDITOR, key), "", "Old")
    act(session, publication.publish, Edit(EDITOR, key), None)


WRITERS: dict[str, Writer] = {
    "a record without lessons, as of seed and imports": put,
    "a record whose outline has none": lambda session: put(session, outline=()),
    "titles alone": lambda session: put(session, outline=(SectionRecord("A", (LessonRecord("One", 5),)),)),
    "lessons that go": lambda session: [put(session, outline=WRITTEN), put(session, outline=())],
    "put_lessons": lambda session: publishing_lessons.put_lessons(session, put(session, outline=WRITTEN), (), LATER),
    "a copy that is published": publish_copy,
    "a planned publication": publish_by_plan,
    "staff who take the lessons out": empty,
    "retired and sold again": retire_and_sell_again,
}


def lessons(session: Session, key: int) -> list[tuple[str, bool]]:
    """The titles of what a buyer finds, each with a text, and whether the shop made it."""
    query = select(Lesson.title, LessonBody.is_generated, LessonBody.body).join(LessonBody)
    rows = session.execute(query.where(Lesson.course_id == key, Lesson.withdrawn_at.is_(None))).all()
    assert all(row.body["text"].strip() for row in rows)
    return [(row.title, row.is_generated) for row in rows]


def promised(session: Session, key: int) -> int:
    """What pages say, which is what the rows of lessons are without the guide."""
    sections = session.get_one(Course, key, populate_existing=True).sections
    count = session.get_one(Product, key, populate_existing=True).lesson_count or 0
    assert count == sum(len(section["lessons"]) for section in sections)
    return count


@pytest.mark.parametrize("writer", WRITERS)
def test_a_course_that_is_sold_is_never_empty(session, writer):
    factories.category(session)
    WRITERS[writer](session)
    session.flush()
    key = course_id(session)
    assert session.get_one(Product, key, populate_existing=True).status == "published"
    is_titled = writer == "titles alone"
    assert lessons(session, key) == [("One" if is_titled else "Course guide", True)]
    assert promised(session, key) == is_titled


def test_a_file_that_promises_lessons_brings_a_guide_and_no_promise(database: Database, tmp_path: Path):
    file = tmp_path / "courses.csv"
    file.write_text(ROWS, "utf-8")
    with database.write_session() as session:
        factories.category(session)
    plan = import_validate.check(file, "courses", USD)
    assert plan.unused_columns == ("lessons",)
    import_writing.write_plan(plan, database.write_session, NOON)
    with database.read_session() as session:
        key = course_id(session)
        assert (lessons(session, key), promised(session, key)) == ([("Course guide", True)], 0)
        about = session.get_one(Product, key).subtitle + session.get_one(Course, key).description
        assert "lesson" not in about


def test_lessons_that_are_there_are_promised(session):
    factories.category(session)
    key = put(session, outline=WRITTEN)
    assert (lessons(session, key), promised(session, key)) == ([("One", False)], 1)
    publishing_lessons.put_lessons(
        session, key, (SectionRecord("All", (LessonRecord("One"), LessonRecord("Two"))),), LATER
    )
    assert promised(session, key) == 2

"""The outline of a course: lessons keep their ids, and pages read what is derived from the rows."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from domain.publishing import lessons as publishing_lessons
from domain.publishing import writer as publishing_writer
from domain.publishing.lessons import derived_outline, folded_key
from domain.publishing.records import CourseRecord, LessonRecord, SectionRecord
from domain.tables import Course, CourseSection, Lesson, LessonBody, LessonNote, LessonProgress, Product, QuizAttempt
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(days=1)
ONE = LessonRecord("One", 10, source_key="1", body={"text": "First."})
TWO = LessonRecord("Two", 20, source_key="2")
THREE = LessonRecord("Three", 30, source_key="3")


def outline(*lessons: LessonRecord) -> tuple[SectionRecord, ...]:
    return (SectionRecord("All", lessons),)


@pytest.fixture
def course_id(session) -> int:
    category = factories.category(session)
    key = factories.course(session, category.id).id
    publishing_lessons.put_lessons(session, key, outline(ONE, TWO), NOON)
    return key


def lessons(session, course_id) -> list[Lesson]:
    query = select(Lesson).where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
    return list(session.scalars(query.order_by(Lesson.position)))


def ids(session, course_id) -> dict[str, int]:
    return {lesson.title: lesson.id for lesson in lessons(session, course_id)}


def begin(session, course_id, lesson_id) -> None:
    learner = factories.learner(session)
    session.add(LessonProgress(learner_id=learner.id, course_id=course_id, lesson_id=lesson_id, opened_at=NOON))
    session.flush()


@pytest.mark.each_database
def test_an_outline_becomes_rows_and_what_pages_read(session, course_id):
    first, second = lessons(session, course_id)
    assert session.get(Course, course_id).sections == [
        {
            "title": "All",
            "lessons": [
                {"id": first.id, "title": "One", "minutes": 10},
                {"id": second.id, "title": "Two", "minutes": 20, "sheet": True},
            ],
        }
    ]
    assert session.get(LessonBody, first.id).body == {"text": "First."}
    assert session.get(LessonBody, second.id).is_generated


def test_the_preview_is_what_the_course_page_shows(session, course_id):
    text = "\n\n".join(["a" * 1000, "b" * 1000])
    preview = replace(ONE, is_preview=True, body={"text": text})
    publishing_lessons.put_lessons(session, course_id, outline(preview, TWO), LATER)
    assert session.get(Course, course_id).sections[0]["lessons"][0]["preview"] == "a" * 1000


def test_an_equal_outline_changes_nothing(session, course_id):
    assert publishing_lessons.put_lessons(session, course_id, outline(ONE, TWO), LATER) is False
    assert [lesson.updated_at for lesson in lessons(session, course_id)] == [NOON, NOON]
    assert session.get(Product, course_id).updated_at == NOON


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        pytest.param((TWO, ONE), {"One": "One", "Two": "Two"}, id="reordered"),
        pytest.param((replace(ONE, title="First"), TWO), {"First": "One", "Two": "Two"}, id="renamed"),
        pytest.param((replace(ONE, source_key="9"), TWO), {"One": "One", "Two": "Two"}, id="another id, same title"),
        pytest.param((ONE, THREE, TWO), {"One": "One", "Two": "Two"}, id="one more"),
        pytest.param(
            (replace(ONE, title="Two"), replace(TWO, title="One")), {"Two": "One", "One": "Two"}, id="titles exchanged"
        ),
    ],
)
def test_a_lesson_keeps_its_id(session, course_id, after, kept):
    before = ids(session, course_id)
    assert publishing_lessons.put_lessons(session, course_id, outline(*after), LATER) is True
    now = ids(session, course_id)
    assert {title: now[title] for title in kept} == {title: before[former] for title, former in kept.items()}


def test_a_lesson_moves_to_another_section_with_its_id(session, course_id):
    before = ids(session, course_id)
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("A", (TWO,)), SectionRecord("B", (ONE,))), LATER)
    assert ids(session, course_id) == before
    assert [section["title"] for section in session.get(Course, course_id).sections] == ["A", "B"]
    publishing_lessons.put_lessons(session, course_id, outline(ONE, TWO), LATER)
    assert len(list(session.scalars(select(CourseSection).where(CourseSection.course_id == course_id)))) == 1


def test_a_missing_lesson_without_progress_is_deleted(session, course_id):
    second = ids(session, course_id)["Two"]
    publishing_lessons.put_lessons(session, course_id, outline(ONE), LATER)
    assert session.get(Lesson, second) is None


@pytest.mark.each_database
def test_a_missing_lesson_with_progress_is_withdrawn_and_comes_back_with_its_id(session, course_id):
    second = ids(session, course_id)["Two"]
    begin(session, course_id, second)
    publishing_lessons.put_lessons(session, course_id, outline(ONE), LATER)
    assert session.get(Lesson, second).withdrawn_at == LATER
    assert list(ids(session, course_id)) == ["One"]
    publishing_lessons.put_lessons(session, course_id, outline(ONE, TWO), LATER)
    assert ids(session, course_id)["Two"] == second


@pytest.mark.parametrize(
    ("change", "revision"),
    [
        ({"minutes": 11}, 1),
        ({"is_required": False}, 1),
        ({"title": "First"}, 2),
        ({"body": {"text": "Rewritten."}}, 2),
        ({"kind": "file", "body": {"text": "A table.", "sha256": "ab" * 32}}, 2),
    ],
)
def test_a_revision_counts_changes_of_the_content(session, course_id, change, revision):
    publishing_lessons.put_lessons(session, course_id, outline(replace(ONE, **change), TWO), LATER)
    assert [lesson.revision for lesson in lessons(session, course_id)] == [revision, 1]


def test_a_generated_text_never_replaces_a_written_one(session, course_id):
    generated = replace(ONE, body={"text": "Generated."}, is_generated=True)
    publishing_lessons.put_lessons(session, course_id, outline(generated, TWO), LATER)
    assert session.get(LessonBody, ids(session, course_id)["One"]).body == {"text": "First."}


def test_a_record_without_a_body_leaves_the_stored_one(session, course_id):
    publishing_lessons.put_lessons(session, course_id, outline(replace(ONE, body=None), TWO), LATER)
    assert session.get(LessonBody, ids(session, course_id)["One"]).body == {"text": "First."}


@pytest.mark.each_database
def test_equal_titles_without_ids_are_different_lessons(session, course_id):
    quiz = LessonRecord("Quiz")
    publishing_lessons.put_lessons(session, course_id, outline(quiz, replace(quiz), ONE), LATER)
    assert [lesson.source_key for lesson in lessons(session, course_id)] == ["quiz", "quiz-2", "1"]


@pytest.mark.parametrize(
    ("title", "key"),
    [("  Two\n words ", "two words"), ("\uff21b", "ab"), ("Straße", "strasse"), ("x" * 300, "x" * 180)],
)
def test_a_title_as_key_is_folded(title, key):
    assert folded_key(title) == key


def test_a_course_is_put_with_its_outline_and_without_one_keeps_it(session):
    factories.category(session)
    record = CourseRecord(slug="vat", name="VAT", category="tax", list_price=Decimal(95), outline=outline(ONE, TWO))
    key = publishing_writer.put_course(session, record, NOON)
    publishing_writer.put_course(session, replace(record, outline=None, subtitle="Another"), LATER)
    assert session.get(Course, key).sections == derived_outline(session, key)
    assert list(ids(session, key)) == ["One", "Two"]


ATTEMPT = {"event_id": "e", "number": 1, "revision": 1, "answers": {}, "marks": {}, "score": 0, "is_passed": False}
WORK = {
    LessonProgress: {"opened_at": NOON},
    LessonNote: {"body": "Mine", "version": 1, "updated_at": NOON},
    QuizAttempt: {**ATTEMPT, "attempted_at": NOON},
}


@pytest.mark.each_database
@pytest.mark.parametrize("table", WORK)
def test_the_database_refuses_to_delete_a_lesson_in_which_somebody_has_worked(session, course_id, table):
    """The second guard, behind the look that withdraws such a lesson instead."""
    lesson_id, learner_id = ids(session, course_id)["One"], factories.learner(session).id
    course = {"course_id": course_id} if table is LessonProgress else {}
    session.add(table(learner_id=learner_id, lesson_id=lesson_id, **course, **WORK[table]))
    session.flush()
    with pytest.raises(IntegrityError), session.begin_nested():
        session.execute(delete(Lesson).where(Lesson.id == lesson_id))
    assert ids(session, course_id)["One"] == lesson_id

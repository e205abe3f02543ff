"""Lessons without a text get a study sheet, once, and never in place of what a person wrote; courses without lessons
get a guide."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.learning.views import course
from domain.publishing import lessons as publishing_lessons
from domain.publishing import study_sheets
from domain.publishing import writer as publishing_writer
from domain.publishing.lessons import derived_outline
from domain.publishing.records import CourseRecord, LessonRecord, SectionRecord
from domain.tables import CatalogueVersion, Course, Lesson, LessonBody
from tests.support import factories
from tests.support.factories import NOON

OUTCOMES = ["File a return without help", "Explain reverse charge."]
SHEET = """\
This lesson belongs to **Rates** in *VAT Basics*.

## Aim

It works towards this outcome of the course: Explain reverse charge.

## What to look at

- What does “Zero rating” mean, in one sentence?
- Where does it occur in your own work, and who else is concerned?
- What goes wrong when it is left out or done badly?

## Exercise

1. Take one case from your own work that has to do with “Zero rating”.
2. Write down what you do today, and what you would do to reach the aim.
3. Compare both with a colleague, and note one thing that you will change.
"""


def test_a_sheet_has_an_aim_questions_and_an_exercise():
    assert study_sheets.study_sheet("VAT Basics", "Rates", "Zero rating", 3, OUTCOMES) == SHEET


def test_without_outcomes_the_aim_is_the_lesson_itself():
    sheet = study_sheets.study_sheet("VAT Basics", "Rates", "Zero rating", 0, [])
    assert "After it you can explain “Zero rating” in your own words" in sheet
    assert "2. Write down what you do today." in sheet


@pytest.mark.parametrize(
    ("description", "outcomes", "guide"),
    [
        ("About VAT.", ["File a return"], "About VAT.\n\n## What you can do afterwards\n\n- File a return.\n"),
        ("About VAT.", [], "About VAT.\n"),
        ("", ["File a return"], "## What you can do afterwards\n\n- File a return.\n"),
    ],
)
def test_a_course_without_lessons_has_a_guide(description, outcomes, guide):
    assert study_sheets.course_guide(description, outcomes) == guide


@pytest.mark.each_database
def test_every_lesson_without_a_text_gets_one_sheet(session):
    course = factories.course(session, factories.category(session).id, detail={"outcomes": OUTCOMES})
    written, bare = LessonRecord("Aim", body={"text": "Written."}), LessonRecord("Zero rating")
    quiz = LessonRecord("Test", kind="quiz")
    publishing_lessons.put_lessons(session, course.id, (SectionRecord("Rates", (written, bare, quiz)),), NOON)
    query = select(Lesson.title, LessonBody.is_generated).join(LessonBody, LessonBody.lesson_id == Lesson.id)
    assert dict(session.execute(query).all()) == {"Aim": False, "Zero rating": True}


def test_lessons_of_the_build_before_get_their_sheets_once(session):
    course = factories.course(session, factories.category(session).id)
    publishing_lessons.put_lessons(
        session, course.id, (SectionRecord("A", (LessonRecord("One"), LessonRecord("Two"))),), NOON
    )
    session.execute(delete(LessonBody))
    assert (study_sheets.fill_missing(session), study_sheets.fill_missing(session)) == (2, 0)


LATER = NOON + timedelta(days=1)
RECORD = CourseRecord(
    slug="vat",
    name="VAT",
    category="tax",
    list_price=Decimal(95),
    description="About VAT.",
    duration_min=90,
    outcomes=["File a return"],
)
GUIDE = "About VAT.\n\n## What you can do afterwards\n\n- File a return.\n"


@pytest.fixture
def sold(session) -> int:
    """A published course whose source has no lessons."""
    factories.category(session)
    return publishing_writer.put_course(session, RECORD, NOON)


def lessons(session) -> list[tuple]:
    query = select(Lesson.title, LessonBody.body, LessonBody.is_generated, Lesson.revision)
    stored = query.join(LessonBody, LessonBody.lesson_id == Lesson.id).where(Lesson.withdrawn_at.is_(None))
    return [tuple(row) for row in session.execute(stored.order_by(Lesson.id))]


def test_a_course_that_is_sold_without_lessons_has_a_guide_for_its_learners_alone(session, sold):
    assert lessons(session) == [("Course guide", {"text": GUIDE}, True, 1)]
    assert session.get_one(Course, sold).sections == derived_outline(session, sold) == []


def test_the_same_course_again_changes_nothing_and_another_text_is_in_the_guide(session, sold):
    guide = session.scalars(select(Lesson.id)).one()
    publishing_writer.put_course(session, RECORD, LATER)
    assert lessons(session)[0][3] == 1
    publishing_writer.put_course(session, replace(RECORD, outcomes=[]), LATER)
    assert lessons(session) == [("Course guide", {"text": "About VAT.\n"}, True, 2)]
    assert session.scalars(select(Lesson.id)).one() == guide


def test_a_draft_has_no_guide_until_it_is_published(session):
    factories.category(session)
    publishing_writer.put_course(session, replace(RECORD, status="draft"), NOON)
    assert lessons(session) == []
    publishing_writer.put_course(session, RECORD, LATER)
    assert [row[0] for row in lessons(session)] == ["Course guide"]


def test_lessons_take_the_place_of_the_guide_which_stays_with_who_began_it_and_comes_back(session, sold):
    learner = factories.learner(session).id
    grants.grant(session, learner, [sold], GrantSource("order", 1), NOON)
    guide = session.scalars(select(Lesson.id)).one()
    progress.record(session, learner, [ProgressChange(guide, NOON, True)], NOON)
    publishing_lessons.put_lessons(
        session, sold, (SectionRecord("A", (LessonRecord("One", body={"text": "1"}),)),), LATER
    )
    assert [row[0] for row in lessons(session)] == ["One"]
    assert session.get_one(Lesson, guide).withdrawn_at == LATER
    for _ in range(2):
        publishing_lessons.put_lessons(session, sold, (), LATER)
    assert [row[0] for row in lessons(session)] == ["Course guide"]
    assert session.get_one(Lesson, guide).withdrawn_at is None
    assert session.get_one(Course, sold).sections == derived_outline(session, sold) == []


def test_courses_of_the_build_before_get_their_guides_once(session, sold):
    session.execute(delete(LessonBody))
    session.execute(delete(Lesson))
    session.expire_all()
    assert [study_sheets.fill_missing_guides(session, LATER) for _ in range(2)] == [1, 0]
    assert [row[0] for row in lessons(session)] == ["Course guide"]


@pytest.fixture
def bare_lesson(session, sold) -> int:
    """A lesson without a body, in the place of the guide."""
    publishing_lessons.put_lessons(session, sold, (SectionRecord("A", (LessonRecord("One"),)),), NOON)
    session.execute(delete(LessonBody))
    session.expire_all()
    return sold


def test_the_version_moves_once_for_all_sheets_that_are_filled_in(session, bare_lesson):
    moves = [moved_by(session, study_sheets.fill_missing) for _ in range(2)]
    assert moves == [1, 0]


def test_the_version_moves_once_for_all_guides_that_are_written_anew(session, sold):
    session.execute(update(Course).values(description="Written anew."))
    session.expire_all()
    moves = [moved_by(session, lambda session: study_sheets.fill_missing_guides(session, LATER)) for _ in range(2)]
    assert moves == [1, 0]


def moved_by(session: Session, change: Callable[[Session], int]) -> int:
    number = select(CatalogueVersion.number)
    before = session.scalar(number) or 0
    change(session)
    return (session.scalar(number) or 0) - before


async def test_a_guide_that_is_written_anew_is_shown_by_a_host_that_runs_meanwhile(sqlite_database):
    with sqlite_database.write_session() as session:
        factories.category(session)
        publishing_writer.put_course(session, RECORD, NOON)
        learner, guide = factories.learner(session).id, session.scalars(select(Lesson.id)).one()
        course_id = session.scalars(select(Course.id)).one()
        grants.grant(session, learner, [course_id], GrantSource("order", 1), NOON)

    async def text() -> str:
        content = await sqlite_database.read_inline(course.lesson_by_id, learner, guide, LATER)
        return content.body["text"].partition("\n")[0]

    before = await text()
    with sqlite_database.write_session() as session:
        session.execute(update(Course).values(description="Written anew."))
        study_sheets.fill_missing_guides(session, LATER)
    assert (before == "Written anew.", await text()) == (False, "Written anew.")

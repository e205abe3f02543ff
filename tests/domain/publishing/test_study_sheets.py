"""Lessons without a text get a study sheet, once, and never in place of what a person wrote."""

import pytest
from sqlalchemy import delete, select

from domain import publishing
from domain.publishing import LessonRecord, SectionRecord, study_sheets
from domain.tables import Lesson, LessonBody
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


def test_every_lesson_without_a_text_gets_one_sheet(session):
    course = factories.course(session, factories.category(session).id, detail={"outcomes": OUTCOMES})
    written, bare = LessonRecord("Aim", body={"text": "Written."}), LessonRecord("Zero rating")
    quiz = LessonRecord("Test", kind="quiz")
    publishing.put_lessons(session, course.id, (SectionRecord("Rates", (written, bare, quiz)),), NOON)
    query = select(Lesson.title, LessonBody.is_generated).join(LessonBody, LessonBody.lesson_id == Lesson.id)
    assert dict(session.execute(query).all()) == {"Aim": False, "Zero rating": True}


def test_lessons_of_the_build_before_get_their_sheets_once(session):
    course = factories.course(session, factories.category(session).id)
    publishing.put_lessons(session, course.id, (SectionRecord("A", (LessonRecord("One"), LessonRecord("Two"))),), NOON)
    session.execute(delete(LessonBody))
    assert (study_sheets.fill_missing(session), study_sheets.fill_missing(session)) == (2, 0)

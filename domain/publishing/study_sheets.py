"""Texts for lessons whose source has none: a study sheet made of what the course says of itself.

A course that somebody bought is never empty. Every sheet is stored as generated, and one that a person writes replaces
it (domain/publishing/lessons.py).
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import lesson_bodies
from domain.publishing.records import Json
from domain.tables import Course, CourseSection, Lesson, LessonBody, Product

_BATCH = 500
GUIDE_TITLE = "Course guide"


def study_sheet(course: str, section: str, lesson: str, position: int, outcomes: Sequence[str]) -> str:
    """The Markdown of a sheet. `position`: of the lesson in its course, which chooses the outcome it works towards."""
    lines = [f"This lesson belongs to **{section}** in *{course}*.", "", "## Aim", ""]
    aim = outcomes[position % len(outcomes)] if outcomes else ""
    lines.append(f"It works towards this outcome of the course: {_sentence(aim)}" if aim else _plain_aim(lesson))
    lines += ["", "## What to look at", "", *_questions(lesson), "", "## Exercise", "", *_exercise(lesson, aim)]
    return "\n".join(lines) + "\n"


def course_guide(description: str, outcomes: Sequence[str]) -> str:
    """The Markdown of the only lesson of a course without lessons."""
    lines = [description.strip()] if description.strip() else []
    if outcomes:
        lines += ["", "## What you can do afterwards", "", *(f"- {_sentence(outcome)}" for outcome in outcomes)]
    return "\n".join(lines).strip() + "\n"


def fill_missing(session: Session, course_id: int | None = None) -> int:
    """Store a sheet for every lesson without a body, of one course or of all; returns how many. Lessons of videos,
    quizzes and files have bodies of their own."""
    count = 0
    while rows := _batch_without_body(session, course_id):
        session.add_all(_body_of(row) for row in rows)
        session.flush()
        count += len(rows)
    return count


def _batch_without_body(session: Session, course_id: int | None) -> list[Json]:
    query = (
        select(
            Lesson.id,
            Lesson.title,
            Lesson.position,
            CourseSection.title.label("section"),
            CourseSection.position.label("section_position"),
            Product.name.label("course"),
            Course.outcomes,
        )
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .join(Product, Product.id == Lesson.course_id)
        .join(Course, Course.id == Lesson.course_id)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
        .where(LessonBody.lesson_id.is_(None), Lesson.kind == "text")
        .order_by(Lesson.id)
        .limit(_BATCH)
    )
    if course_id is not None:
        query = query.where(Lesson.course_id == course_id)
    return [dict(row) for row in session.execute(query).mappings()]


def _body_of(row: Json) -> LessonBody:
    body = {"text": _sheet_of(row)}
    return LessonBody(lesson_id=row["id"], body=body, search_text=lesson_bodies.search_text(body), is_generated=True)


def _sheet_of(row: Json) -> str:
    position = row["section_position"] + row["position"]
    return study_sheet(row["course"], row["section"], row["title"], position, row["outcomes"])


def _plain_aim(lesson: str) -> str:
    return f"After it you can explain “{lesson}” in your own words and say where it matters in your work."


def _questions(lesson: str) -> Iterator[str]:
    yield f"- What does “{lesson}” mean, in one sentence?"
    yield "- Where does it occur in your own work, and who else is concerned?"
    yield "- What goes wrong when it is left out or done badly?"


def _exercise(lesson: str, aim: str) -> Iterator[str]:
    yield f"1. Take one case from your own work that has to do with “{lesson}”."
    yield f"2. Write down what you do today{', and what you would do to reach the aim' if aim else ''}."
    yield "3. Compare both with a colleague, and note one thing that you will change."


def _sentence(text: str) -> str:
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?")) else f"{stripped}."

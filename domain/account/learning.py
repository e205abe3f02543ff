"""What a person has done in lessons, as statements for the export of their account, and its erasure."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from domain.tables import Enrolment, Lesson, LessonBody, LessonNote, LessonProgress, Product, QuizAttempt

ExportedTable = Select[*tuple[Any, ...]]
GONE = "an option that the quiz no longer has"


def attempts(learner_id: int) -> ExportedTable:
    """Marks and scores are per mille. Rows for `with_option_texts`."""
    columns = (
        Product.name.label("course"),
        Lesson.title.label("lesson"),
        QuizAttempt.number,
        QuizAttempt.answers,
        QuizAttempt.marks,
        QuizAttempt.score,
        QuizAttempt.is_passed.label("isPassed"),
        QuizAttempt.attempted_at.label("at"),
        LessonBody.body,
    )
    query = select(*columns).select_from(QuizAttempt).join(Lesson, Lesson.id == QuizAttempt.lesson_id)
    query = query.outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
    query = query.join(Product, Product.id == Lesson.course_id)
    return query.where(QuizAttempt.learner_id == learner_id).order_by(QuizAttempt.id)


def with_option_texts(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `attempts` with the texts of the options that were chosen: their ids would tell which is right."""
    questions = (row["body"] or {}).get("questions", ())
    texts = {
        (question["id"], option["id"]): option["text"]
        for question in questions
        for option in question.get("options", ())
    }
    answers = {
        key: answer if isinstance(answer, str) else [texts.get((key, option), GONE) for option in answer]
        for key, answer in row["answers"].items()
    }
    return {**{name: value for name, value in row.items() if name != "body"}, "answers": answers}


def progress(learner_id: int) -> ExportedTable:
    """`position` and `furthest`: seconds of a video, thousandths of a text."""
    columns = (
        Product.name.label("course"),
        Lesson.title.label("lesson"),
        LessonProgress.is_done.label("isDone"),
        LessonProgress.done_at.label("doneAt"),
        LessonProgress.position,
        LessonProgress.position_at.label("positionAt"),
        LessonProgress.furthest,
        LessonProgress.opened_at.label("openedAt"),
    )
    query = select(*columns).select_from(LessonProgress).join(Lesson, Lesson.id == LessonProgress.lesson_id)
    query = query.join(Product, Product.id == LessonProgress.course_id)
    own = query.where(LessonProgress.learner_id == learner_id)
    return own.order_by(LessonProgress.course_id, LessonProgress.lesson_id)


def notes(learner_id: int) -> ExportedTable:
    columns = (
        Product.name.label("course"),
        Lesson.title.label("lesson"),
        LessonNote.body.label("text"),
        LessonNote.updated_at.label("at"),
    )
    query = select(*columns).select_from(LessonNote).join(Lesson, Lesson.id == LessonNote.lesson_id)
    query = query.join(Product, Product.id == Lesson.course_id)
    return query.where(LessonNote.learner_id == learner_id).order_by(LessonNote.lesson_id)


EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {
    "lessonProgress": progress,
    "notes": notes,
}


def erase(session: Session, learner_id: int) -> None:
    """Progress, answers and notes go with the account, and why staff completed a course."""
    for table in (LessonProgress, QuizAttempt, LessonNote):
        session.execute(delete(table).where(table.learner_id == learner_id))
    own = update(Enrolment).where(Enrolment.learner_id == learner_id)
    session.execute(own.values(completion_reason=None, done_lesson_ids=None))

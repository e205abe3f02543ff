"""What a person has done in lessons, as statements for the export of their account, and its erasure."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from domain.tables import Lesson, LessonNote, Product, QuizAttempt

ExportedTable = Select[*tuple[Any, ...]]


def attempts(learner_id: int) -> ExportedTable:
    """Marks and scores are per mille."""
    columns = (
        Product.name.label("course"),
        Lesson.title.label("lesson"),
        QuizAttempt.number,
        QuizAttempt.answers,
        QuizAttempt.marks,
        QuizAttempt.score,
        QuizAttempt.is_passed.label("isPassed"),
        QuizAttempt.attempted_at.label("at"),
    )
    query = select(*columns).select_from(QuizAttempt).join(Lesson, Lesson.id == QuizAttempt.lesson_id)
    query = query.join(Product, Product.id == Lesson.course_id)
    return query.where(QuizAttempt.learner_id == learner_id).order_by(QuizAttempt.id)


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


EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {"quizAttempts": attempts, "notes": notes}


def erase(session: Session, learner_id: int) -> None:
    """Answers and notes go with the account."""
    for table in (QuizAttempt, LessonNote):
        session.execute(delete(table).where(table.learner_id == learner_id))

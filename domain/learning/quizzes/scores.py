"""The best attempts of a learner, which stay readable after the access to the course."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import QuizAttempt


@dataclass(frozen=True)
class QuizScore:
    """`score` per mille, of the best attempt."""

    lesson_id: int
    score: int
    is_passed: bool
    attempts: int


def best_scores(session: Session, learner_id: int, lesson_ids: Collection[int]) -> dict[int, QuizScore]:
    """By lesson; quizzes that were never attempted are left out."""
    if not lesson_ids:
        return {}
    best = (func.max(QuizAttempt.score), func.max(QuizAttempt.is_passed), func.count())
    query = select(QuizAttempt.lesson_id, *best).where(
        QuizAttempt.learner_id == learner_id, QuizAttempt.lesson_id.in_(lesson_ids)
    )
    rows = session.execute(query.group_by(QuizAttempt.lesson_id))
    return {lesson: QuizScore(lesson, score, bool(passed), number) for lesson, score, passed, number in rows}

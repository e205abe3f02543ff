"""The people who can sign in to the demo: one course completed, two under way. Everything goes through the functions
that a browser's messages go through."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.identity import learners
from domain.learning import outline, progress
from domain.learning.completion import OutlineLesson
from domain.learning.progress_merge import ProgressChange
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import Submission
from domain.seed.progress.quiz_answers import answers, event_id
from domain.tables import Product

# Between a failed attempt and the next one.
PAUSE = timedelta(minutes=40)
# How far they are in the lesson after the last finished one.
READ_PERMILLE = 400


@dataclass(frozen=True)
class Study:
    """`finished` lessons from the first on, beginning `began_days` ago, in `took_days`."""

    subject: str
    course: str
    began_days: float
    took_days: float
    finished: int


STUDIES = (
    Study("ada", "delegation-that-holds", 46, 31, 13),
    Study("member", "gdpr-everyday-decisions", 18, 12, 6),
    Study("ada", "sql-for-spreadsheet-people", 5.5, 5, 9),
)


def add(session: Session, at: datetime) -> None:
    for study in STUDIES:
        learner = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, study.subject)
        course_id = session.scalar(select(Product.id).where(Product.slug == study.course))
        if learner is not None and course_id is not None:
            _study(session, learner.id, outline.outline_of(session, course_id), study, at)


def _study(session: Session, learner_id: int, lessons: tuple[OutlineLesson, ...], study: Study, at: datetime) -> None:
    began, took = at - timedelta(days=study.began_days), timedelta(days=study.took_days)
    quizzes = 0
    for place, lesson in enumerate(lessons[: study.finished], 1):
        when = began + took * place / study.finished
        if lesson.kind == "quiz":
            quizzes += 1
            _pass(session, learner_id, lesson.id, study.subject, when, fails_first=quizzes == 1)
        else:
            progress.record(session, learner_id, (ProgressChange(lesson.id, when, is_done=True),), when)
    if study.finished < len(lessons):
        begun = ProgressChange(lessons[study.finished].id, began + took, position=READ_PERMILLE)
        progress.record(session, learner_id, (begun,), begun.at)


def _pass(  # noqa: PLR0913 an attempt, and whether one goes before it
    session: Session, learner_id: int, lesson_id: int, subject: str, when: datetime, *, fails_first: bool
) -> None:
    """Pass a quiz, the first one of a course at the second attempt."""
    view = attempts.view_of(session, learner_id, lesson_id)
    tries = [(0, 1), ()] if fails_first else [()]
    for number, wrong in enumerate(tries, 1):
        sent = Submission(lesson_id, event_id(subject, lesson_id, number), view.revision, answers(view.quiz, wrong))
        attempts.record(session, learner_id, sent, when - PAUSE * (len(tries) - number))

"""The people who can sign in to the demo: courses completed, two under way, one whose access is over and a retired one
whose access ends; certificates without an end, with one, and one that is over. Everything goes through the functions
that a browser's messages go through."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.identity import learners
from domain.learning import grants, notes, outline, progress, rules
from domain.learning.completion import OutlineLesson
from domain.learning.gifts import storing as gift_storing
from domain.learning.gifts.storing import StaffGift
from domain.learning.grants import GrantSource
from domain.learning.notes import NewNote
from domain.learning.progress_merge import ProgressChange
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import Submission
from domain.seed.progress.quiz_answers import answers, event_id
from domain.tables import Gift, Product

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


# A course that was given for a time, which ended so many days ago, and what is still readable of it.
ENDED, ENDED_DAYS = Study("member", "statistics-for-decisions", 15, 1, 2), 4
# A retired course that was given for a time, which ends in so many days.
ENDING, ENDING_DAYS = Study("ada", "distance-selling-one-stop-shop", 30, 20, 4), 12
# Completed courses whose certificates are valid for a year: one is over, the other is not yet.
VALID_MONTHS = 12
EXPIRING = (
    Study("ada", "anti-bribery-gifts-third-parties", 430, 20, 17),
    Study("ada", "conflicts-of-interest-in-an-hour", 150, 10, 9),
)
GIVER = "admin"
NOTE = "The median, not the mean: three large orders moved the whole month."


def add(session: Session, at: datetime) -> None:
    for study in STUDIES:
        learner = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, study.subject)
        course_id = session.scalar(select(Product.id).where(Product.slug == study.course))
        if learner is not None and course_id is not None:
            _study(session, learner.id, outline.outline_of(session, course_id), study, at)
    _add_ended(session, at)
    for study in EXPIRING:
        _add_given(session, study, at, VALID_MONTHS)
    _add_given(session, ENDING, at, until=at + timedelta(days=ENDING_DAYS))


def _add_given(
    session: Session, study: Study, at: datetime, valid_months: int | None = None, until: datetime | None = None
) -> None:
    """A course that the staff gave when the learner began it, and what they studied of it. `valid_months`: of its
    certificates, from then on."""
    learner, giver = (
        learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, name) for name in (study.subject, GIVER)
    )
    course_id = session.scalar(select(Product.id).where(Product.slug == study.course))
    if learner is None or giver is None or course_id is None:
        return
    began = at - timedelta(days=study.began_days)
    if valid_months is not None:
        rule = outline.rule_of(session, course_id)
        rules.put_rule(session, course_id, replace(rule, valid_months=valid_months), began)
    gift_id = gift_storing.give_by_staff(
        session, learner, StaffGift(giver.id, course_id, "Part of the demo shop"), began, is_mailed=False
    )
    _study(session, learner.id, outline.outline_of(session, course_id), study, at)
    if until is not None:
        grants.extend(session, GrantSource("gift", gift_id), until)


def _add_ended(session: Session, at: datetime) -> None:
    learner = learners.find_by_identity(session, learners.DEVELOPMENT_ISSUER, ENDED.subject)
    query = select(Gift).join(Product, Product.id == Gift.product_id).where(Product.slug == ENDED.course)
    gift = None if learner is None else session.scalar(query.where(Gift.learner_id == learner.id))
    if learner is None or gift is None:
        return
    lessons = outline.outline_of(session, gift.product_id)
    _study(session, learner.id, lessons, ENDED, at)
    notes.put(session, learner.id, lessons[0].id, NewNote(NOTE, 0), at - timedelta(days=ENDED.began_days))
    grants.extend(session, GrantSource("gift", gift.id), at - timedelta(days=ENDED_DAYS))


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

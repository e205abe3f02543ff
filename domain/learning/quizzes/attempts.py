"""Attempts at quizzes: the only writer of them. An attempt is stored, marked and counted in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from domain.display_text import DEFAULT_LOCALE
from domain.errors import DomainError, NotFound, Refused
from domain.identity import learners
from domain.learning import completion, outline, progress
from domain.learning.certificates import issuing
from domain.learning.progress import NO_LESSON, CourseProgress
from domain.learning.quizzes import marking
from domain.learning.quizzes.marking import Answers, Attempt, Quiz, QuizStatus
from domain.learning.recount import recount_enrolment
from domain.tables import Enrolment, Lesson, LessonBody, QuizAttempt

NONE_LEFT = "No attempt is left."


@dataclass(frozen=True)
class Submission:
    """`event_id`: a UUID of the browser's; a resend has the same. `revision`: of the questions that were answered.
    `locale`: of typed numbers. `name`: of the options (`marking.read_answers`)."""

    lesson_id: int
    event_id: str
    revision: int
    answers: Answers
    locale: str = DEFAULT_LOCALE
    name: marking.Name = marking.stored_id


@dataclass(frozen=True)
class QuizView:
    """A quiz and where a learner is in it. `last` None: no attempt yet."""

    lesson_id: int
    revision: int
    quiz: Quiz
    pass_mark: int
    status: QuizStatus
    last: Attempt | None


@dataclass(frozen=True)
class Recorded:
    """`view`: the quiz with `last` as the attempt that was sent, and where the learner was with it."""

    view: QuizView
    course: CourseProgress


class QuizChanged(DomainError):
    """The questions are not those that were answered."""

    def __init__(self) -> None:
        super().__init__(
            "The questions have changed since you opened them. Your answers are kept where they still fit."
        )


class EventUsed(Refused):
    """The event belongs to an attempt at another quiz."""

    def __init__(self) -> None:
        super().__init__("These answers were sent for another quiz.")


class TooEarly(Refused):
    """No attempt is taken before `next_at`."""

    def __init__(self, next_at: datetime):
        super().__init__("Please wait before the next attempt.")
        self.next_at = next_at


def record(session: Session, learner_id: int, sent: Submission, now: datetime) -> Recorded:
    """Store the attempt, mark it, and count the course anew. The same event again gives the same and changes nothing.

    Raises NotFound for a lesson that is no quiz of a course with access, QuizChanged, TooEarly, EventUsed, Refused when
    no attempt is left, and InvalidInput: each time nothing is stored.
    """
    learners.lock_account(session, learner_id)
    lesson_id = sent.lesson_id
    lesson, enrolment = _locked(session, learner_id, lesson_id, now)
    view = _view(session, learner_id, lesson)
    stored = session.scalars(
        select(QuizAttempt).where(QuizAttempt.learner_id == learner_id, QuizAttempt.event_id == sent.event_id)
    ).one_or_none()
    if stored is not None and stored.lesson_id != lesson_id:
        raise EventUsed
    number = view.status.next_number if stored is None else stored.number
    if stored is None:
        _require_open(view, sent, now)
        answers = marking.read_answers(view.quiz, sent.answers, sent.locale, sent.name)
        row = progress.open_lesson(session, enrolment, lesson_id, now)
        attempt = _attempt(learner_id, view, sent.event_id, answers, now)
        session.add(attempt)
        session.flush()
        if attempt.is_passed:
            _renew(session, enrolment, now)
    else:
        row = progress.open_lesson(session, enrolment, lesson_id, enrolment.last_active_at or now)
    status = recount_enrolment(session, enrolment, now)
    states = {lesson_id: progress.state_of(row)}
    course = CourseProgress(lesson.course_id, status, states, enrolment.completed_at)
    return Recorded(_view(session, learner_id, lesson, number), course)


def view_of(session: Session, learner_id: int, lesson_id: int) -> QuizView:
    """The quiz for a learner whose access was checked. Raises NotFound for a lesson that is no quiz."""
    lesson = session.get(Lesson, lesson_id)
    if lesson is None or lesson.kind != "quiz":
        raise NotFound(NO_LESSON)
    return _view(session, learner_id, lesson)


def _locked(session: Session, learner_id: int, lesson_id: int, now: datetime) -> tuple[Lesson, Enrolment]:
    """The lesson first, shared: its questions do not change meanwhile, and MariaDB's snapshot begins after the
    locks. The enrolment makes attempts of one learner in one course follow one another."""
    query = select(Lesson).where(Lesson.id == lesson_id, Lesson.kind == "quiz").with_for_update(read=True)
    lesson = session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    if lesson is None:
        raise NotFound(NO_LESSON)
    return lesson, progress.open_enrolment(session, learner_id, lesson.course_id, now)


def _view(session: Session, learner_id: int, lesson: Lesson, until: int | None = None) -> QuizView:
    """`until`: the number of the last attempt that counts."""
    body = session.get(LessonBody, lesson.id)
    quiz = marking.quiz_of({} if body is None else body.body)
    taken = [QuizAttempt.learner_id == learner_id, QuizAttempt.lesson_id == lesson.id]
    if until is not None:
        taken.append(QuizAttempt.number <= until)
    # Who may try without limit may have many: as many are read as can be left of a limit.
    attempts = _newest_attempts(session, taken, limit=max(quiz.attempts or 0, 1))
    best = session.scalar(select(func.max(QuizAttempt.score)).where(*taken)) if attempts else None
    pass_mark = outline.rule_of(session, lesson.course_id).pass_mark
    status = marking.quiz_status(quiz, attempts, pass_mark, best)
    return QuizView(lesson.id, lesson.revision, quiz, pass_mark, status, attempts[-1] if attempts else None)


def _newest_attempts(session: Session, taken: Sequence[ColumnElement[bool]], limit: int) -> Sequence[Attempt]:
    """The last ones of those that fit, in their order."""
    query = select(QuizAttempt).where(*taken).order_by(QuizAttempt.number.desc()).limit(limit)
    return [
        Attempt(row.number, row.revision, row.answers, row.marks, row.score, row.is_passed, row.attempted_at)
        for row in reversed(session.scalars(query).all())
    ]


def _require_open(view: QuizView, sent: Submission, now: datetime) -> None:
    if sent.revision != view.revision:
        raise QuizChanged
    if view.status.left == 0:
        raise Refused(NONE_LEFT)
    if view.status.next_at is not None and view.status.next_at > now:
        raise TooEarly(view.status.next_at)


def _renew(session: Session, enrolment: Enrolment, now: datetime) -> None:
    """A certificate that ends, when the quizzes that the rule counts were all passed again."""
    rule = outline.rule_of(session, enrolment.product_id)
    if enrolment.completed_at is None or rule.valid_months is None:
        return
    lessons = outline.outline_of(session, enrolment.product_id)
    ids = [lesson.id for lesson in completion.counted_quizzes(rule, lessons)]
    query = select(QuizAttempt.lesson_id, func.max(QuizAttempt.attempted_at)).where(
        QuizAttempt.learner_id == enrolment.learner_id, QuizAttempt.lesson_id.in_(ids), QuizAttempt.is_passed.is_(True)
    )
    passed = dict(session.execute(query.group_by(QuizAttempt.lesson_id)).all())
    issuing.renew_if_passed_again(session, enrolment, rule, [passed.get(key) for key in ids], now)


def _attempt(
    learner_id: int, view: QuizView, event_id: str, answers: dict[str, marking.Answer], now: datetime
) -> QuizAttempt:
    marked = marking.mark(view.quiz, answers)
    return QuizAttempt(
        event_id=event_id,
        learner_id=learner_id,
        lesson_id=view.lesson_id,
        number=view.status.next_number,
        revision=view.revision,
        answers=answers,
        marks=marked.marks,
        score=marked.score,
        is_passed=completion.is_passed(marked.score, view.pass_mark),
        attempted_at=now,
    )

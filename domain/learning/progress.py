"""What learners have done: the only writer of progress. Changes may come late, twice and in any order."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.learning import certificates, outline
from domain.learning.completion import CompletionStatus, completion_status
from domain.learning.grants import locked_enrolment
from domain.learning.progress_merge import LessonState, ProgressChange, merged, within_clock
from domain.tables import Enrolment, Lesson, LessonProgress

# Of one message; a browser with more sends the rest with the next.
MAX_CHANGES = 100


@dataclass(frozen=True)
class CourseProgress:
    """A course after the changes: what counts, and the states of the lessons that were changed."""

    course_id: int
    status: CompletionStatus
    lessons: dict[int, LessonState]
    completed_at: datetime | None


def record(
    session: Session, learner_id: int, changes: Sequence[ProgressChange], now: datetime
) -> tuple[CourseProgress, ...]:
    """Merge the changes into what is stored, by course; an equal change again changes nothing.

    Raises NotFound when a lesson is unknown or belongs to a course without access: then nothing is stored.
    """
    courses = _courses_of(session, {change.lesson_id for change in changes})
    return tuple(
        _record_in_course(
            session,
            learner_id,
            course_id,
            [change for change in changes if courses[change.lesson_id] == course_id],
            now,
        )
        for course_id in sorted(set(courses.values()))
    )


def _courses_of(session: Session, lesson_ids: Collection[int]) -> dict[int, int]:
    query = select(Lesson.id, Lesson.course_id).where(Lesson.id.in_(lesson_ids))
    courses = dict(session.execute(query).all())
    if courses.keys() != set(lesson_ids):
        raise NotFound("There is no such lesson.")
    return courses


def _record_in_course(
    session: Session, learner_id: int, course_id: int, changes: Sequence[ProgressChange], now: datetime
) -> CourseProgress:
    # The lock makes the changes of one learner in one course follow one another: reading and merging cannot lose one.
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None or (enrolment.access_until is not None and enrolment.access_until <= now):
        raise NotFound("There is no such lesson.")
    rows = _lock_rows(session, learner_id, course_id, {change.lesson_id for change in changes})
    kinds = _kinds(session, {change.lesson_id for change in changes}, begun=rows.keys())
    states: dict[int, LessonState] = {}
    for change in (within_clock(change, now) for change in changes):
        row = rows.get(change.lesson_id)
        if row is None:
            row = rows[change.lesson_id] = LessonProgress(
                learner_id=learner_id, course_id=course_id, lesson_id=change.lesson_id, opened_at=change.at
            )
            session.add(row)
        # Whether a quiz is done follows from its attempts alone.
        counted = change if kinds[change.lesson_id] != "quiz" else _without_done(change)
        states[change.lesson_id] = merged(_state_of(row), counted)
        for name, value in asdict(states[change.lesson_id]).items():
            setattr(row, name, value)
        row.opened_at = min(row.opened_at, change.at)
        _note_activity(enrolment, change)
    session.flush()
    status = recount(session, enrolment, now)
    return CourseProgress(course_id, status, states, enrolment.completed_at)


def recount(session: Session, enrolment: Enrolment, now: datetime) -> CompletionStatus:
    """Count the finished lessons of a locked enrolment anew. Completed stays completed, whatever comes later."""
    lessons = outline.outline_of(session, enrolment.product_id)
    rule = outline.rule_of(session, enrolment.product_id)
    done = _done_ids(session, enrolment)
    # A quiz is done when it was passed, or attempted where the rule asks for no more.
    status = completion_status(rule, lessons, done, done)
    enrolment.done_lessons = status.done
    enrolment.rule_version = rule.version
    if status.is_complete and enrolment.completed_at is None:
        enrolment.completed_at = now
        certificates.issue_on_completion(session, enrolment, rule, now)
    session.flush()
    return status


def _done_ids(session: Session, enrolment: Enrolment) -> set[int]:
    query = select(LessonProgress.lesson_id).where(
        LessonProgress.learner_id == enrolment.learner_id,
        LessonProgress.course_id == enrolment.product_id,
        LessonProgress.is_done.is_(True),
    )
    return set(session.scalars(query))


def _lock_rows(
    session: Session, learner_id: int, course_id: int, lesson_ids: Collection[int]
) -> dict[int, LessonProgress]:
    """Locking reads the newest rows, which MariaDB's snapshot may lack."""
    query = select(LessonProgress).where(
        LessonProgress.learner_id == learner_id,
        LessonProgress.course_id == course_id,
        LessonProgress.lesson_id.in_(lesson_ids),
    )
    newest = query.with_for_update().execution_options(populate_existing=True)
    return {row.lesson_id: row for row in session.scalars(newest)}


def _kinds(session: Session, lesson_ids: Collection[int], begun: Collection[int]) -> dict[int, str]:
    """Raises NotFound for a lesson that was withdrawn before the learner began it."""
    query = select(Lesson.id, Lesson.kind).where(
        Lesson.id.in_(lesson_ids), or_(Lesson.withdrawn_at.is_(None), Lesson.id.in_(begun))
    )
    kinds = dict(session.execute(query).all())
    if kinds.keys() != set(lesson_ids):
        raise NotFound("There is no such lesson.")
    return kinds


def _state_of(row: LessonProgress) -> LessonState:
    return LessonState(bool(row.is_done), row.done_at, row.position or 0, row.position_at, row.furthest or 0)


def _without_done(change: ProgressChange) -> ProgressChange:
    return ProgressChange(change.lesson_id, change.at, None, change.position)


def _note_activity(enrolment: Enrolment, change: ProgressChange) -> None:
    if enrolment.started_at is None or change.at < enrolment.started_at:
        enrolment.started_at = change.at
    if enrolment.last_active_at is None or change.at >= enrolment.last_active_at:
        enrolment.last_active_at, enrolment.last_lesson_id = change.at, change.lesson_id

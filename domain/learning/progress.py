"""What learners have done: the only writer of progress. Changes may come late, twice and in any order."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.identity import learners
from domain.learning.completion import CompletionStatus
from domain.learning.enrolments import has_access, is_accepted, locked_enrolment
from domain.learning.progress_merge import LessonState, ProgressChange, merged, within_clock
from domain.learning.recount import recount_enrolment
from domain.tables import Enrolment, Lesson, LessonProgress

# Changes in one message; a browser with more sends the rest with the next.
MAX_CHANGES = 100
NO_LESSON = "There is no such lesson."


@dataclass(frozen=True)
class CourseProgress:
    """A course after the changes: what counts, and the states of the lessons that were changed. `refused`: the lessons
    of changes that came about without access, which were left out."""

    course_id: int
    status: CompletionStatus
    lessons: dict[int, LessonState]
    completed_at: datetime | None
    refused: tuple[int, ...] = ()


def record(
    session: Session, learner_id: int, changes: Sequence[ProgressChange], now: datetime
) -> tuple[CourseProgress, ...]:
    """Merge the changes into what is stored, by course; an equal change again changes nothing. What counts is when
    something happened: it is stored after the end of the access too, for a while.

    Raises NotFound when a lesson is unknown or all changes of a course came about without access: then nothing is
    stored.
    """
    learners.lock_account(session, learner_id)
    changes = [within_clock(change, now) for change in changes]
    courses = _courses_of(session, {change.lesson_id for change in changes})
    # All are locked before anything else is read: MariaDB's snapshot would lack what another device commits until then.
    # The locks make the changes of one learner in one course follow one another: reading and merging cannot lose one.
    enrolments = [_enrolment(session, learner_id, course_id) for course_id in sorted(set(courses.values()))]
    return tuple(
        _record_in_course(
            session, enrolment, [change for change in changes if courses[change.lesson_id] == enrolment.product_id], now
        )
        for enrolment in enrolments
    )


def _courses_of(session: Session, lesson_ids: Collection[int]) -> dict[int, int]:
    # Locked and shared: an ordinary read would fix MariaDB's snapshot before the enrolment is locked, and the recount
    # would not see what another device has committed meanwhile.
    query = select(Lesson.id, Lesson.course_id).where(Lesson.id.in_(lesson_ids)).with_for_update(read=True)
    courses = dict(session.execute(query).all())
    if courses.keys() != set(lesson_ids):
        raise NotFound(NO_LESSON)
    return courses


def _record_in_course(
    session: Session, enrolment: Enrolment, sent: Sequence[ProgressChange], now: datetime
) -> CourseProgress:
    """`enrolment`: locked."""
    changes = [change for change in sent if is_accepted(enrolment, change.at, now)]
    if not changes:
        raise NotFound(NO_LESSON)
    course_id = enrolment.product_id
    rows = _lock_rows(session, enrolment.learner_id, course_id, {change.lesson_id for change in changes})
    kinds = _kinds(session, changes, begun=rows.keys())
    states: dict[int, LessonState] = {}
    for change in changes:
        row = rows[change.lesson_id] = rows.get(change.lesson_id) or _new_row(session, enrolment, change)
        # Whether a quiz is done follows from its attempts alone.
        counted = change if kinds[change.lesson_id] != "quiz" else _without_done(change)
        states[change.lesson_id] = merged(state_of(row), counted)
        for name, value in asdict(states[change.lesson_id]).items():
            setattr(row, name, value)
        row.opened_at = min(row.opened_at, change.at)
        _note_activity(enrolment, change)
    session.flush()
    status = recount_enrolment(session, enrolment, now)
    refused = sorted({change.lesson_id for change in sent if change not in changes})
    return CourseProgress(course_id, status, states, enrolment.completed_at, tuple(refused))


def open_enrolment(session: Session, learner_id: int, course_id: int, now: datetime) -> Enrolment:
    """The enrolment, locked. Raises NotFound without access."""
    enrolment = _enrolment(session, learner_id, course_id)
    if not has_access(enrolment, now):
        raise NotFound(NO_LESSON)
    return enrolment


def _enrolment(session: Session, learner_id: int, course_id: int) -> Enrolment:
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None:
        raise NotFound(NO_LESSON)
    return enrolment


def open_lesson(session: Session, enrolment: Enrolment, lesson_id: int, now: datetime) -> LessonProgress:
    """The learner's row of the lesson, which they work in now. Raises NotFound for a lesson that was withdrawn before
    they began it."""
    rows = _lock_rows(session, enrolment.learner_id, enrolment.product_id, {lesson_id})
    change = ProgressChange(lesson_id, now)
    _kinds(session, [change], begun=rows.keys())
    row = rows.get(lesson_id) or _new_row(session, enrolment, change)
    _note_activity(enrolment, change)
    session.flush()
    return row


def _new_row(session: Session, enrolment: Enrolment, change: ProgressChange) -> LessonProgress:
    keys = {"learner_id": enrolment.learner_id, "course_id": enrolment.product_id, "lesson_id": change.lesson_id}
    row = LessonProgress(**keys, opened_at=change.at)
    session.add(row)
    return row


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


def _kinds(session: Session, changes: Sequence[ProgressChange], begun: Collection[int]) -> dict[int, str]:
    """The kinds of the lessons. Raises NotFound for one that was withdrawn before the learner began it."""
    first: dict[int, datetime] = {}
    for change in changes:
        first[change.lesson_id] = min(change.at, first.get(change.lesson_id, change.at))
    query = select(Lesson.id, Lesson.kind, Lesson.withdrawn_at).where(Lesson.id.in_(first))
    kinds = {
        row.id: row.kind
        for row in session.execute(query)
        if row.id in begun or row.withdrawn_at is None or first[row.id] < row.withdrawn_at
    }
    if kinds.keys() != first.keys():
        raise NotFound(NO_LESSON)
    return kinds


def state_of(row: LessonProgress) -> LessonState:
    return LessonState(bool(row.is_done), row.done_at, row.position or 0, row.position_at, row.furthest or 0)


def _without_done(change: ProgressChange) -> ProgressChange:
    return ProgressChange(change.lesson_id, change.at, None, change.position)


def _note_activity(enrolment: Enrolment, change: ProgressChange) -> None:
    if enrolment.started_at is None or change.at < enrolment.started_at:
        enrolment.started_at = change.at
    if enrolment.last_active_at is None or change.at >= enrolment.last_active_at:
        enrolment.last_active_at, enrolment.last_lesson_id = change.at, change.lesson_id

"""What holders have done in the courses of their seats, as the rules of fairness need it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import SelectByIds
from domain.learning.completion import DEFAULT_RULE
from domain.seats.fairness import HeldSeat
from domain.seats.forecast import PACE, PacedSeat
from domain.tables import (
    CompletionRuleRow,
    Contract,
    Enrolment,
    EnrolmentGrant,
    Lesson,
    LessonProgress,
    QuizAttempt,
    Seat,
)

# With more seats than this, all of the contract are read at once.
FEW = 100


class CourseOfSeat(NamedTuple):
    """A course that a seat opens now, and how far its holder is."""

    seat_id: int
    course_id: int
    started_at: datetime | None
    last_active_at: datetime | None
    completed_at: datetime | None
    done_lessons: int


def held_seats(session: Session, contract: Contract, seats: Sequence[Seat]) -> list[HeldSeat]:
    """The seats with what their holders did, of the contract's active ones. A new seat for somebody who was active
    before is started with the first thing that they do now."""
    ids = _few(seats)
    courses = _by_seat(courses_of(session, contract.id, seat_ids=ids))
    quizzes = _last_quizzes(session, contract.id, ids)
    percents = percent_of(session, [course for rows in courses.values() for course in rows])
    return [_held(contract, seat, courses.get(seat.id, []), quizzes.get(seat.id), percents) for seat in seats]


def paced_seats(session: Session, contract: Contract, seats: Sequence[Seat], at: datetime) -> list[PacedSeat]:
    """Held seats, without `quiz_at`, with how much their holders did lately of the course that they are furthest
    in."""
    ids = _few(seats)
    courses = _by_seat(courses_of(session, contract.id, seat_ids=ids))
    percents = percent_of(session, [course for rows in courses.values() for course in rows])
    gained = _gained(session, contract.id, ids, at - PACE)
    return [
        PacedSeat(
            _held(contract, seat, courses.get(seat.id, []), None, percents),
            max(
                (
                    (percents[row.seat_id, row.course_id], gained.get((row.seat_id, row.course_id), 0))
                    for row in courses.get(seat.id, [])
                    if row.completed_at is None
                ),
                default=(0, 0),
            )[1],
        )
        for seat in seats
    ]


def _few(seats: Sequence[Seat]) -> list[int] | None:
    """Their ids; None: too many to name."""
    return [seat.id for seat in seats] if len(seats) <= FEW else None


def _held(
    contract: Contract,
    seat: Seat,
    courses: Sequence[CourseOfSeat],
    quiz_at: datetime | None,
    percents: Mapping[tuple[int, int], int],
) -> HeldSeat:
    assigned_at = seat.assigned_at or contract.starts_at
    active = [row.last_active_at for row in courses if row.last_active_at and row.last_active_at >= assigned_at]
    started = [max(row.started_at, assigned_at) for row in courses if row.started_at] if active else []
    is_per_course = contract.seat_kind == "course"
    unfinished = [percents[row.seat_id, row.course_id] for row in courses if row.completed_at is None]
    return HeldSeat(
        id=seat.id,
        number=seat.number,
        assigned_at=assigned_at,
        started_at=seat.started_at or min(started, default=None),
        last_active_at=max(active, default=None),
        quiz_at=quiz_at,
        percent=max(unfinished, default=0),
        # A seat for a person is theirs for further courses.
        is_completed=is_per_course and bool(courses) and not unfinished,
        reminders=seat.reminders,
        is_reminding=seat.reminder_id is not None,
        notified_at=seat.notified_at,
        grace_until=seat.grace_until,
        confirmed_at=seat.confirmed_at,
        paused_until=seat.paused_until,
    )


_OPENS = (EnrolmentGrant.source == "seat", EnrolmentGrant.source_id == Seat.id, EnrolmentGrant.ended_at.is_(None))


def courses_of(session: Session, contract_id: int, *, seat_ids: Sequence[int] | None = None) -> list[CourseOfSeat]:
    """The courses of the contract's held seats; of these seats alone if they are given."""
    columns = (Enrolment.product_id, Enrolment.started_at, Enrolment.last_active_at, Enrolment.completed_at)
    query = (
        select(Seat.id, *columns, Enrolment.done_lessons)
        .join(EnrolmentGrant, and_(*_OPENS))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(Seat.contract_id == contract_id, Seat.state.in_(("active", "spent")))
        .order_by(Seat.id, Enrolment.product_id)
    )
    if seat_ids is not None:
        query = query.where(Seat.id.in_(seat_ids))
    return [CourseOfSeat(*row) for row in session.execute(query)]


def _by_seat(courses: Sequence[CourseOfSeat]) -> Mapping[int, list[CourseOfSeat]]:
    found: dict[int, list[CourseOfSeat]] = {}
    for row in courses:
        found.setdefault(row.seat_id, []).append(row)
    return found


def _last_quizzes(session: Session, contract_id: int, seat_ids: Sequence[int] | None) -> Mapping[int, datetime]:
    """Seat -> the last attempt at a quiz of its courses."""
    query = (
        select(Seat.id, func.max(QuizAttempt.attempted_at))
        .join(EnrolmentGrant, and_(*_OPENS))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .join(Lesson, Lesson.course_id == Enrolment.product_id)
        .join(
            QuizAttempt,
            (QuizAttempt.learner_id == Enrolment.learner_id) & (QuizAttempt.lesson_id == Lesson.id),
        )
        .where(Seat.contract_id == contract_id, Seat.state == "active", Lesson.kind == "quiz")
        .group_by(Seat.id)
    )
    if seat_ids is not None:
        query = query.where(Seat.id.in_(seat_ids))
    return dict(session.execute(query).all())


def _gained(
    session: Session, contract_id: int, seat_ids: Sequence[int] | None, since: datetime
) -> Mapping[tuple[int, int], int]:
    """(seat, course) -> points of percent done since then."""
    query = (
        select(Seat.id, Enrolment.product_id, func.count())
        .join(EnrolmentGrant, and_(*_OPENS))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .join(
            LessonProgress,
            (LessonProgress.learner_id == Enrolment.learner_id) & (LessonProgress.course_id == Enrolment.product_id),
        )
        .join(Lesson, Lesson.id == LessonProgress.lesson_id)
        .where(Seat.contract_id == contract_id, Seat.state == "active", Lesson.withdrawn_at.is_(None))
        .where(Lesson.is_required, LessonProgress.is_done, LessonProgress.done_at >= since)
        .group_by(Seat.id, Enrolment.product_id)
    )
    if seat_ids is not None:
        query = query.where(Seat.id.in_(seat_ids))
    rows = session.execute(query).all()
    needed = _needed(session, {course_id for _, course_id, _ in rows})
    return {
        (seat_id, course_id): 100 * number // needed[course_id]
        for seat_id, course_id, number in rows
        if needed[course_id]
    }


def percent_of(session: Session, courses: Sequence[CourseOfSeat]) -> Mapping[tuple[int, int], int]:
    """(seat, course) -> 0-100, as the dashboard counts: 100 only when it is completed."""
    needed = _needed(session, {row.course_id for row in courses})
    return {(row.seat_id, row.course_id): _percent(row, needed[row.course_id]) for row in courses}


def _percent(row: CourseOfSeat, needed: int) -> int:
    if row.completed_at is not None:
        return 100
    return min(99, 100 * row.done_lessons // needed) if needed else 0


_REQUIRED = SelectByIds(
    lambda ids: (
        select(Lesson.__table__.c.course_id, func.count())
        .where(Lesson.course_id.in_(ids), Lesson.withdrawn_at.is_(None), Lesson.is_required)
        .group_by(Lesson.course_id)
    ),
    tuple,
)
_rules = CompletionRuleRow.__table__.c
_PERCENTS = SelectByIds(
    lambda ids: select(_rules.course_id, _rules.required_percent).where(_rules.course_id.in_(ids)), tuple
)


def _needed(session: Session, course_ids: Collection[int]) -> dict[int, int]:
    """Course -> how many lessons complete it."""
    percents = dict(_PERCENTS.all(session, course_ids))
    required: dict[int, int] = dict(_REQUIRED.all(session, course_ids))
    return {
        course_id: -(-required.get(course_id, 0) * percents.get(course_id, DEFAULT_RULE.required_percent) // 100)
        for course_id in course_ids
    }

"""When a seat goes back, and who gets it: the rules of seats, without a database and without a clock.

1. Nothing is taken back while seats are free or nobody waits.
2. Not started: reminders after 7 and 14 days; after `start_days` it may go back, never before the mail server has taken
   both mails.
3. Idle for `idle_days`: a notice and 14 days of grace, which anything done or confirmed ends.
4. Never: 80 % done, a quiz within 14 days, the first 30 days, a pause.
5. The longest idle goes first, then the least done, then the lowest number. First come, first served; who lost a seat
   comes before newcomers, once.
6. Completed is spent, or free where the contract says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

DAY = timedelta(days=1)
REMINDERS_AFTER = (7 * DAY, 14 * DAY)
GRACE = 14 * DAY
QUIZ_PROTECTS = 14 * DAY
FIRST_DAYS = 30 * DAY
MAX_PAUSE = 90 * DAY
CONFIRM_EVERY = 90 * DAY
NEARLY_DONE = 80
Rule = Literal["not_started", "idle"]


@dataclass(frozen=True)
class ReclaimTerms:
    """When the seats of a contract go back."""

    start_days: int
    idle_days: int
    frees_completed: bool = False


@dataclass(frozen=True)
class HeldSeat:
    """A seat that a learner has. `percent`: done of the course, of a seat for a person the most of those that are not
    completed. `reminders`: taken by the mail server; `is_reminding`: another is on its way. Times as in tables.Seat;
    `quiz_at`: of the last attempt."""

    id: int
    number: int
    assigned_at: datetime
    started_at: datetime | None = None
    last_active_at: datetime | None = None
    quiz_at: datetime | None = None
    percent: int = 0
    is_completed: bool = False
    reminders: int = 0
    is_reminding: bool = False
    notified_at: datetime | None = None
    grace_until: datetime | None = None
    confirmed_at: datetime | None = None
    paused_until: datetime | None = None


@dataclass(frozen=True)
class PendingRequest:
    """A request. `has_priority`: the member lost a seat before and did not come first because of it yet."""

    id: int
    requested_at: datetime
    has_priority: bool = False


@dataclass(frozen=True)
class Complete:
    """The course was completed: the seat is spent, or free if `is_freed`."""

    seat_id: int
    is_freed: bool


@dataclass(frozen=True)
class Remind:
    """The first or second mail about a seat that was not started."""

    seat_id: int
    number: int


@dataclass(frozen=True)
class Notice:
    """Somebody waits, and the seat is idle: it goes back at `until` unless its holder does something."""

    seat_id: int
    until: datetime


@dataclass(frozen=True)
class EndNotice:
    """What the notice was for has passed."""

    seat_id: int


@dataclass(frozen=True)
class Reclaim:
    seat_id: int
    rule: Rule


@dataclass(frozen=True)
class Serve:
    """The request gets a seat that is free by then."""

    request_id: int


Action = Complete | Remind | Notice | EndNotice | Reclaim | Serve


def actions(
    held: Sequence[HeldSeat], free: int, waiting: Sequence[PendingRequest], terms: ReclaimTerms, at: datetime
) -> tuple[Action, ...]:
    """What is to be done at that time, in this order. `free`: seats without a holder. Done once more, nothing is left
    to do."""
    completed = [Complete(seat.id, terms.frees_completed) for seat in held if seat.is_completed]
    open_seats = [seat for seat in held if not seat.is_completed]
    free += len(completed) if terms.frees_completed else 0
    queue = in_turn(waiting)
    unserved = max(0, len(queue) - free)
    reclaimed = [Reclaim(seat.id, rule) for seat, rule in _reclaimable(open_seats, terms, at)][:unserved]
    gone = {action.seat_id for action in reclaimed}
    left = [seat for seat in open_seats if seat.id not in gone]
    served = [Serve(request.id) for request in queue[: free + len(reclaimed)]]
    return (
        *completed,
        *(EndNotice(seat.id) for seat in left if seat.notified_at is not None and _is_over(seat, terms, unserved, at)),
        *(Remind(seat.id, seat.reminders + 1) for seat in left if needs_reminder(seat, at)),
        *reclaimed,
        *served,
        *_notices(left, unserved - len(reclaimed), terms, at),
    )


def in_turn(waiting: Iterable[PendingRequest]) -> list[PendingRequest]:
    """Who comes first: those with priority, then in the order of their requests."""
    return sorted(waiting, key=lambda request: (not request.has_priority, request.requested_at, request.id))


def idle_since(seat: HeldSeat) -> datetime:
    """When the seat was last used, confirmed or paused."""
    times = (seat.assigned_at, seat.last_active_at, seat.confirmed_at, seat.paused_until)
    return max(time for time in times if time is not None)


def is_protected(seat: HeldSeat, at: datetime) -> bool:
    """Never reclaimed, whoever waits."""
    return (
        seat.percent >= NEARLY_DONE
        or at < seat.assigned_at + FIRST_DAYS
        or (seat.quiz_at is not None and at < seat.quiz_at + QUIZ_PROTECTS)
        or (seat.paused_until is not None and at < seat.paused_until)
    )


def needs_reminder(seat: HeldSeat, at: datetime) -> bool:
    is_paused = seat.paused_until is not None and at < seat.paused_until
    if seat.started_at is not None or seat.is_reminding or is_paused or seat.reminders >= len(REMINDERS_AFTER):
        return False
    return at >= seat.assigned_at + REMINDERS_AFTER[seat.reminders]


def is_idle(seat: HeldSeat, terms: ReclaimTerms, at: datetime) -> bool:
    """Started, and nothing done for `idle_days`."""
    return seat.started_at is not None and at >= idle_since(seat) + timedelta(days=terms.idle_days)


def goes_back_at(seat: HeldSeat, terms: ReclaimTerms) -> datetime | None:
    """The day before which the holder has to do something, if somebody waits then; None while it is not known."""
    if seat.started_at is not None:
        return seat.grace_until
    return max(idle_since(seat) + timedelta(days=terms.start_days), seat.assigned_at + FIRST_DAYS)


def rule_of(seat: HeldSeat, terms: ReclaimTerms, at: datetime) -> Rule | None:
    """The rule by which the seat may be reclaimed now; None: by none."""
    if seat.is_completed or is_protected(seat, at):
        return None
    if seat.started_at is None:
        is_late = at >= idle_since(seat) + timedelta(days=terms.start_days)
        return "not_started" if is_late and seat.reminders >= len(REMINDERS_AFTER) else None
    has_ended = seat.grace_until is not None and at >= seat.grace_until
    return "idle" if has_ended and is_idle(seat, terms, at) else None


def _reclaimable(held: Sequence[HeldSeat], terms: ReclaimTerms, at: datetime) -> Iterator[tuple[HeldSeat, Rule]]:
    for seat in sorted(held, key=_turn):
        if (rule := rule_of(seat, terms, at)) is not None:
            yield seat, rule


def _turn(seat: HeldSeat) -> tuple[datetime, int, int]:
    return (idle_since(seat), seat.percent, seat.number)


def _is_over(seat: HeldSeat, terms: ReclaimTerms, unserved: int, at: datetime) -> bool:
    """Nobody waits any more, or the holder did something."""
    return unserved == 0 or not is_idle(seat, terms, at) or is_protected(seat, at)


def _notices(held: Sequence[HeldSeat], unserved: int, terms: ReclaimTerms, at: datetime) -> list[Notice]:
    """Notices for as many seats as people wait for, those included that have one."""
    noticed = sum(seat.notified_at is not None and not _is_over(seat, terms, unserved, at) for seat in held)
    idle = [
        seat
        for seat in sorted(held, key=_turn)
        if seat.notified_at is None and is_idle(seat, terms, at) and not is_protected(seat, at)
    ]
    return [Notice(seat.id, at + GRACE) for seat in idle[: max(0, unserved - noticed)]]

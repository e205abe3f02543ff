"""How many seats will stand idle by a day, if their holders go on as in the last weeks: without a database and a clock.

1. Who has not begun two weeks after getting the seat, when both reminders are out, is expected not to begin.
2. Who has done nothing for four weeks is expected to do nothing more.
3. Everybody else goes on at their own pace of the last four weeks, or of the time since they began, a week at least.

Each number comes with two more: how many it is of already, and how many it can be at most if nobody does anything from
now on. A pause counts as activity until it ends, as in fairness.py. What the rules protect from going back may stand
idle all the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from domain.seats.fairness import DAY, REMINDERS_AFTER, HeldSeat, ReclaimTerms, idle_since, is_idle

# How far back the pace of a holder is measured; after so long without anything done, nothing more is expected.
PACE = 28 * DAY
# One good day is no pace.
SHORTEST = 7 * DAY
# How much faster than before a holder may become.
FASTER = 2
Outlook = Literal["not_started", "idle", "finished", "in_use"]


@dataclass(frozen=True)
class PacedSeat:
    """A seat in use. `gained`: points of percent that its holder has done of its course since `at - PACE`."""

    held: HeldSeat
    gained: int = 0


class Range(NamedTuple):
    """`now`: of how many seats it is true already, `at_most`: of how many it can be by the day."""

    now: int = 0
    expected: int = 0
    at_most: int = 0

    def plus(self, other: "Range") -> "Range":
        return Range(*(own + others for own, others in zip(self, other, strict=True)))


class Forecast(NamedTuple):
    """How many seats a day will find in each state."""

    not_started: Range = Range()
    idle: Range = Range()
    finished: Range = Range()

    def plus(self, other: "Forecast") -> "Forecast":
        return Forecast(*(own.plus(others) for own, others in zip(self, other, strict=True)))


def end_of_next_month(at: datetime) -> datetime:
    """The first moment after the month that follows that of `at`."""
    months = at.year * 12 + at.month + 1
    return at.replace(year=months // 12, month=months % 12 + 1, day=1, hour=0, minute=0, second=0, microsecond=0)


def forecast(seats: Iterable[PacedSeat], terms: ReclaimTerms, at: datetime, until: datetime) -> Forecast:
    total = Forecast()
    for seat in seats:
        total = total.plus(_of_seat(seat, terms, at, until))
    return total


def outlook(seat: PacedSeat, terms: ReclaimTerms, at: datetime, until: datetime) -> Outlook:
    """What is expected of one seat."""
    held = seat.held
    if held.is_completed:
        return "finished"
    if held.started_at is None:
        is_given_up = at >= held.assigned_at + REMINDERS_AFTER[-1] or _is_late(held, terms, at)
        return "not_started" if is_given_up and _is_late(held, terms, until) else "in_use"
    if is_idle(held, terms, at):
        return "idle"
    if _done_by(seat, at, until) >= 100:
        return "finished"
    is_quiet = at >= idle_since(held) + PACE
    return "idle" if is_quiet and is_idle(held, terms, until) else "in_use"


def can_stand_idle(assigned: HeldSeat, terms: ReclaimTerms, until: datetime) -> bool:
    """Whether a seat of which nothing but assignment, pause and confirmation is known can have been unused for long
    enough by the day."""
    return idle_since(assigned) + timedelta(days=min(terms.start_days, terms.idle_days)) <= until


def _of_seat(seat: PacedSeat, terms: ReclaimTerms, at: datetime, until: datetime) -> Forecast:
    held, expected = seat.held, outlook(seat, terms, at, until)
    if held.is_completed:
        return Forecast(finished=Range(1, 1, 1))
    if held.started_at is None:
        is_late_at = [_is_late(held, terms, day) for day in (at, until)]
        return Forecast(not_started=Range(is_late_at[0], expected == "not_started", is_late_at[1]))
    can_finish = _done_by(seat, at, until, FASTER) >= 100
    return Forecast(
        idle=Range(is_idle(held, terms, at), expected == "idle", is_idle(held, terms, until)),
        finished=Range(0, expected == "finished", can_finish),
    )


def _is_late(held: HeldSeat, terms: ReclaimTerms, day: datetime) -> bool:
    return day >= idle_since(held) + timedelta(days=terms.start_days)


def _done_by(seat: PacedSeat, at: datetime, until: datetime, times: int = 1) -> float:
    """Percent by the day, at so many times the pace of the holder."""
    since = seat.held.started_at or at
    measured = max(SHORTEST, min(PACE, at - since))
    return seat.held.percent + times * seat.gained * ((until - at) / measured)

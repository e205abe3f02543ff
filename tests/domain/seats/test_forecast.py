"""How many seats will stand idle by the end of the next month, by rules with exact cases."""

from datetime import UTC, datetime

import pytest

from domain.seats.fairness import HeldSeat, ReclaimTerms
from domain.seats.forecast import (
    DAY,
    Forecast,
    PacedSeat,
    Range,
    can_stand_idle,
    end_of_next_month,
    forecast,
    outlook,
)
from tests.support.factories import NOON

# NOON is the first of March; 60 days and a half are left.
UNTIL = datetime(2026, 5, 1, tzinfo=UTC)
TERMS = ReclaimTerms(start_days=30, idle_days=60)


def ago(days: float) -> datetime:
    return NOON - days * DAY


def given(days: float, **about) -> PacedSeat:
    """A seat that was assigned so many days ago and not started."""
    return PacedSeat(HeldSeat(1, 1, ago(days), **about))


def started(last: float, percent: int = 50, gained: int = 0, since: float = 100, **about) -> PacedSeat:
    """One that was started `since` days ago and last used `last` days ago."""
    times = {"started_at": ago(since), "last_active_at": ago(last)}
    return PacedSeat(HeldSeat(1, 1, ago(since), percent=percent, **times, **about), gained)


CASES = {
    "given today": (given(0), "in_use"),
    "given 13 days ago: the second reminder is not out": (given(13), "in_use"),
    "given 14 days ago": (given(14), "not_started"),
    "given 40 days ago": (given(40), "not_started"),
    "paused for 20 days more, not late by then but by the end": (given(40, paused_until=ago(-20)), "not_started"),
    "paused until 30 days before the end": (given(40, paused_until=UNTIL - 30 * DAY), "not_started"),
    "paused for longer": (given(40, paused_until=UNTIL - 29 * DAY), "in_use"),
    "still needed, said yesterday": (given(40, confirmed_at=ago(1)), "not_started"),
    "used today": (started(0, gained=10), "in_use"),
    "27 days without activity, which is not quiet yet": (started(27), "in_use"),
    "28 days without activity": (started(28), "idle"),
    "60 days without activity": (started(60), "idle"),
    "paused: quiet only from the end of the pause on": (started(70, paused_until=ago(-10)), "in_use"),
    "still needed, said 27 days ago": (started(90, confirmed_at=ago(27)), "in_use"),
    "50 % in the last four weeks, at half": (started(1, 50, 50), "finished"),
    "24 % in four weeks do for 51 % in sixty days": (started(1, 49, 24), "finished"),
    "23 % in four weeks do not": (started(1, 50, 23), "in_use"),
    "10 % on the first of three days are 96 % in sixty: a week counts": (started(0, 10, 10, since=3), "in_use"),
    "11 % are enough": (started(0, 11, 11, since=3), "finished"),
    "80 % done and quiet may stand idle, though nobody takes it": (started(40, 85), "idle"),
    "completed today": (started(0, 100, is_completed=True), "finished"),
}


@pytest.mark.parametrize(("seat", "expected"), CASES.values(), ids=CASES)
def test_what_is_expected_of_a_seat(seat, expected):
    assert outlook(seat, TERMS, NOON, UNTIL) == expected


RANGES = {
    "already late": (given(30), Forecast(not_started=Range(1, 1, 1))),
    "late by then, if it is not begun": (given(2), Forecast(not_started=Range(0, 0, 1))),
    "idle already": (started(60), Forecast(idle=Range(1, 1, 1))),
    "used today, idle by then at worst": (started(0, 10), Forecast(idle=Range(0, 0, 1))),
    "expected to be finished, at best and at worst": (
        started(0, 50, 50),
        Forecast(idle=Range(0, 0, 1), finished=Range(0, 1, 1)),
    ),
    "finished only at twice the pace": (started(0, 50, 12), Forecast(idle=Range(0, 0, 1), finished=Range(0, 0, 1))),
    "completed": (started(0, 100, is_completed=True), Forecast(finished=Range(1, 1, 1))),
}


@pytest.mark.parametrize(("seat", "expected"), RANGES.values(), ids=RANGES)
def test_a_number_has_one_of_now_and_one_at_most(seat, expected):
    assert forecast([seat], TERMS, NOON, UNTIL) == expected


def test_seats_add_up_and_none_are_nothing():
    seats = [seat for seat, _ in RANGES.values()]
    assert forecast(seats, TERMS, NOON, UNTIL) == Forecast(Range(1, 1, 2), Range(1, 1, 4), Range(1, 2, 3))
    assert forecast([], TERMS, NOON, UNTIL) == Forecast()


def test_of_a_contract_that_ends_sooner_less_is_expected():
    sooner = NOON + 9 * DAY
    seats = [given(14), given(21), started(51), started(30)]
    assert [outlook(seat, TERMS, NOON, sooner) for seat in seats] == ["in_use", "not_started", "idle", "in_use"]


@pytest.mark.parametrize(
    ("day", "end"),
    [
        ((2026, 1, 31, 23), (2026, 3, 1)),
        ((2026, 10, 15), (2026, 12, 1)),
        ((2026, 11, 1), (2027, 1, 1)),
        ((2026, 12, 1), (2027, 2, 1)),
    ],
)
def test_the_next_month_ends_in_the_next_year_too(day, end):
    assert end_of_next_month(datetime(*day, tzinfo=UTC)) == datetime(*end, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seat", "can"),
    [
        (HeldSeat(1, 1, ago(0)), True),
        (HeldSeat(1, 1, UNTIL - 30 * DAY), True),
        (HeldSeat(1, 1, UNTIL - 29 * DAY), False),
        (HeldSeat(1, 1, ago(90), paused_until=UNTIL - 29 * DAY), False),
        (HeldSeat(1, 1, ago(90), confirmed_at=UNTIL - 29 * DAY), False),
    ],
)
def test_without_progress_the_days_alone_say_whether_a_seat_can_stand_idle(seat, can):
    assert can_stand_idle(seat, TERMS, UNTIL) == can

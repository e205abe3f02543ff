"""An applicant has our answer within two working days."""

from datetime import UTC, datetime

import pytest

from domain.organisations.applications.working_days import due_at, working_days_left


def day(number: int, hour: int = 10) -> datetime:
    """A day of March 2026, which begins on a Sunday."""
    return datetime(2026, 3, number, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "due"),
    [
        (day(2), day(4)),
        (day(5), day(9)),
        (day(6), day(10)),
        (day(7), day(11, 0)),
        (day(8, 23), day(11, 0)),
    ],
    ids=["Monday", "Thursday", "Friday", "Saturday", "Sunday night"],
)
def test_the_promise_ends_two_working_days_later(since, due):
    assert due_at(since) == due


@pytest.mark.parametrize(("at", "left"), [(day(2), 2), (day(3), 1), (day(4, 9), 0), (day(4, 11), -1), (day(9, 11), -3)])
def test_working_days_are_counted_down_and_beyond(at, left):
    assert working_days_left(day(4), at) == left

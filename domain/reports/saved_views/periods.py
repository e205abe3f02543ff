"""Periods that move with time, such as the last 7 days: their names in saved views, and their days."""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from domain.reports.visit_reports.parameters import MAX_DAYS

_DAY = timedelta(days=1)
_LAST_DAYS = re.compile(r"last-([1-9][0-9]{0,2})", re.ASCII)
Days = tuple[date, date]


class MovingPeriod(NamedTuple):
    """`text`: on a button. `days`: the first and the last day, by which day is today."""

    text: str
    days: Callable[[date], Days]


def _last(count: int) -> Callable[[date], Days]:
    return lambda today: (today - (count - 1) * _DAY, today)


def _last_month(today: date) -> Days:
    last = today.replace(day=1) - _DAY
    return last.replace(day=1), last


def _year(today: date) -> Days:
    day = min(today.day, monthrange(today.year - 1, today.month)[1])
    return today.replace(year=today.year - 1, day=day) + _DAY, today


# Those that a report offers as buttons, by their names.
PERIODS: Mapping[str, MovingPeriod] = {
    "today": MovingPeriod("Today", _last(1)),
    "yesterday": MovingPeriod("Yesterday", lambda today: (today - _DAY, today - _DAY)),
    "last-7": MovingPeriod("7 days", _last(7)),
    "last-28": MovingPeriod("28 days", _last(28)),
    "last-90": MovingPeriod("90 days", _last(90)),
    "this-month": MovingPeriod("This month", lambda today: (today.replace(day=1), today)),
    "last-month": MovingPeriod("Last month", _last_month),
    "year": MovingPeriod("12 months", _year),
}


def days_of(name: str, today: date) -> Days | None:
    """None for a name that no period has."""
    if name in PERIODS:
        return PERIODS[name].days(today)
    found = _LAST_DAYS.fullmatch(name)
    if found is None or int(found[1]) > MAX_DAYS:
        return None
    return _last(int(found[1]))(today)


def whole_days_of(name: str, today: date) -> Days | None:
    """For a mail: a period that would end today ends yesterday, as today is not over."""
    days = days_of(name, today)
    return days if days is None or days[1] < today else days_of(name, today - _DAY)


def text_of(name: str) -> str:
    """In a sentence or a choice: "The last 7 days"."""
    if found := _LAST_DAYS.fullmatch(name):
        return f"The last {found[1]} days"
    return {"year": "The last 12 months"}.get(name) or PERIODS[name].text


def names_for(since: date, until: date, today: date) -> list[str]:
    """The periods that are these days today."""
    found = [name for name, period in PERIODS.items() if period.days(today) == (since, until)]
    own = f"last-{(until - since).days + 1}"
    return [*found, own] if until == today and since != until and own not in found else found

"""The days of a rate: it begins today or later, and what it was charged for never changes."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Literal, Protocol

from sqlalchemy import ColumnElement, bindparam, case, or_
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from domain.display_text import day_text
from domain.errors import InvalidInput, Refused
from domain.typed_values import read_day

# The parameter of a list with a state: the day by which orders are priced, in UTC.
DAY = "today"
State = Literal["planned", "now", "ended"]
_ENDED = "This rate has ended. Orders were charged by it, so it stays as it is: add the rate that follows."
_BEGUN = "This rate holds already. Give it a last day instead."


class RatePeriod(Protocol):
    """A rate with its first day and its last; None: no end."""

    @property
    def starts_on(self) -> date: ...

    @property
    def ends_on(self) -> date | None: ...


def read_days(first: str, last: str, today: date, errors: dict[str, str]) -> tuple[date, date | None]:
    """First and last day as typed: without a first one today, without a last one no end. Errors are added."""
    starts_on, ends_on = today, None
    for name, text in (("startsOn", first), ("endsOn", last)):
        try:
            day = read_day(text) if text else None
        except ValueError:
            errors[name] = "Write a day such as 2026-12-31."
            continue
        if name == "startsOn":
            starts_on = day or today
        else:
            ends_on = day
    if ends_on is not None and ends_on < starts_on and not {"startsOn", "endsOn"} & errors.keys():
        errors["endsOn"] = "The last day is before the first one."
    return starts_on, ends_on


def refuse_past(starts_on: date, today: date) -> None:
    """Raises InvalidInput for a rate that would have begun before today."""
    if starts_on < today:
        raise InvalidInput(
            {"startsOn": f"A rate begins on {day_text(today)} or later: orders before were charged without it."}
        )


def check_last_day(row: RatePeriod, last: date | None, today: date) -> None:
    """Raises Refused for a rate that has ended, InvalidInput for a last day that is over."""
    if row.ends_on is not None and row.ends_on < today:
        raise Refused(_ENDED)
    first = max(today, row.starts_on)
    if last is not None and last < first:
        raise InvalidInput({"endsOn": f"The last day is {day_text(first)} or later: orders were charged until then."})


def check_withdrawal(row: RatePeriod, today: date) -> None:
    """Raises Refused for a rate that holds or has ended."""
    if row.starts_on <= today:
        raise Refused(_BEGUN)


def meet(one: RatePeriod, other: RatePeriod) -> bool:
    """Whether there is a day on which both hold."""
    ends = [day for day in (one.ends_on, other.ends_on) if day is not None]
    return not ends or max(one.starts_on, other.starts_on) <= min(ends)


def state_column(rates: ReadOnlyColumnCollection[str, Any]) -> ColumnElement[str]:
    """Whether a rate holds on the day of the parameter DAY."""
    day = bindparam(DAY, type_=rates.starts_on.type)
    return case((rates.starts_on > day, "planned"), (rates.ends_on < day, "ended"), else_="now")


# The condition for each state, of the columns of a table of rates on a day.
OF_STATE: Mapping[str, Callable[[ReadOnlyColumnCollection[str, Any], date], ColumnElement[bool]]] = {
    "planned": lambda rates, day: rates.starts_on > day,
    "now": lambda rates, day: (rates.starts_on <= day) & or_(rates.ends_on.is_(None), rates.ends_on >= day),
    "ended": lambda rates, day: rates.ends_on < day,
}

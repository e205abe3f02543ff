"""Numbers and days as people and programs write them: in calls, forms, files, settings and commands.

One form for all: plain digits of ASCII, one sign, finite, bounded. What Python reads besides, such as NaN, 1_0, 1e9 or
digits of other scripts, is no number here.
"""

import re
from datetime import UTC, date, datetime
from decimal import Decimal

_DECIMAL = re.compile(r"[+-]?(?=\.?[0-9])[0-9]{0,15}(?:\.[0-9]{0,9})?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
# Far from the ends of the calendar: a day before, a day after and other zones exist.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 12, 31)


def read_decimal(text: str) -> Decimal:
    """At most 15 digits before and 9 after the point. Raises ValueError."""
    if not _DECIMAL.fullmatch(text.strip()):
        raise ValueError(f"{text[:40]!r} is not a number")
    return Decimal(text.strip())


def read_integer(text: str) -> int:
    """At most 15 digits. Raises ValueError."""
    if not _INTEGER.fullmatch(text.strip()):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)


def read_percent(text: str) -> Decimal:
    """With or without the sign of percent. Raises ValueError."""
    return read_decimal(text.strip().removesuffix("%"))


def read_day(text: str) -> date:
    """A day in ISO 8601 from FIRST_DAY to LAST_DAY. Raises ValueError."""
    day = date.fromisoformat(text.strip())
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"{text[:40]!r} is not a day from {FIRST_DAY} to {LAST_DAY}")
    return day


def bounded(at: datetime) -> datetime:
    """The instant, in UTC. Raises ValueError for one that is not between FIRST_DAY and LAST_DAY."""
    if not FIRST_DAY.year <= at.year <= LAST_DAY.year:
        raise ValueError(f"not a time from {FIRST_DAY} to {LAST_DAY}")
    return at.astimezone(UTC)

"""Numbers and days as people and programs write them: in calls, forms, files, settings and commands.

One form for all: plain digits of ASCII, one sign, finite, bounded. What Python reads besides, such as NaN, 1_0, 1e9 or
digits of other scripts, is no number here.
"""

import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

DecimalSign = Literal[".", ","]
# Signs between groups of digits: of thousands, and of two digits as in India.
_GROUPED = {
    decimal: re.compile(
        rf"([+-]?[0-9]{{1,3}})((?:[{signs}' \u2019][0-9]{{2,3}})*[{signs}' \u2019][0-9]{{3}})({decimal_part}[0-9]+)?"
    )
    for decimal, signs, decimal_part in ((".", ",", r"\."), (",", r".", ","))
}
_DECIMAL = re.compile(r"[+-]?(?=\.?[0-9])[0-9]{0,15}(?:\.[0-9]{0,9})?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
# No id has more, and any database can compare a number of so many with a key.
MAX_ID_DIGITS = 15
# Far from the ends of the calendar: a day before, a day after and other zones exist.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 12, 31)


def read_decimal(text: str) -> Decimal:
    """At most 15 digits before and 9 after the point. Raises ValueError."""
    if not _DECIMAL.fullmatch(text.strip()):
        raise ValueError(f"{text[:40]!r} is not a number")
    return Decimal(text.strip())


def is_number(text: str, most_digits: int = MAX_ID_DIGITS) -> bool:
    """Whether a text is plain digits, as the id of a row is."""
    return text.isascii() and text.isdigit() and len(text) <= most_digits


class UnclearSign(ValueError):
    """A comma or point that may end the whole units or group thousands."""


def read_grouped(text: str, decimal: DecimalSign = ".") -> Decimal:
    """A number as people write it: "1,299.50", "1 299.50", "1'299", "1,23,456"; with "," as the sign of decimals
    "1.299,50". Digits may be of any script. Raises UnclearSign for "49,90" where the sign is a point, and for "49.90"
    where it is a comma; ValueError for what is no number."""
    if decimal == "." and _DECIMAL.fullmatch(text):
        return Decimal(text)
    other = "," if decimal == "." else "."
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)
        text = text.translate(
            {0xA0: " ", 0x202F: " ", 0x2009: " ", 0x066B: decimal, 0x066C: other, 0xFF0C: ",", 0xFF0E: "."}
        )
    text = text.strip()
    if parts := _GROUPED[decimal].fullmatch(text):
        text = parts[1] + re.sub(r"[^0-9]", "", parts[2]) + (parts[3] or "")
    if other in text and re.fullmatch(rf"[+-]?[0-9.,' ]*[{other}][0-9.,]*", text):
        names = {".": "point", ",": "comma"}
        raise UnclearSign(f"{text[:40]!r} has a {names[other]} where a {names[decimal]} is needed")
    return read_decimal(text.replace(",", "."))


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

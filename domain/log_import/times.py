"""Times of logs: as Apache and nginx write them, ISO 8601, and seconds or milliseconds since 1970."""

from datetime import UTC, datetime
from functools import lru_cache

_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
# A space, a sign, two digits of hours and two of minutes.
_ZONE_LENGTH = 6
# Seconds since 1970 have ten digits until the year 2286.
_MIN_MILLISECONDS = 100_000_000_000
# The last millisecond of the year 9999.
_MAX_MILLISECONDS = 253_402_300_799_999


@lru_cache(128)
def milliseconds_of(text: str) -> int:
    """Since 1970. Lines follow each other: most share their second with the one before. Raises ValueError."""
    if text[2:3] == "/":
        found = _common(text)
    elif text[4:5] == "-":
        at = datetime.fromisoformat(text)
        found = round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    else:
        number = float(text)
        found = round(number if number >= _MIN_MILLISECONDS else number * 1000)
    if not 0 <= found <= _MAX_MILLISECONDS:
        raise ValueError(f"{text} is no time of a visit")
    return found


def _common(text: str) -> int:
    """10/Oct/2026:13:55:36 -0700"""
    return (_minute(text[:17], text[20:]) + int(text[18:20])) * 1000


@lru_cache(64)
def _minute(text: str, zone: str) -> int:
    """Seconds since 1970. The seconds of a minute share it."""
    month = _MONTHS.get(text[3:6])
    if month is None or zone[:1] != " " or len(zone) != _ZONE_LENGTH:
        raise ValueError(f"{text}{zone} is no time of a log")
    shift = int(zone[1:4]) * 60 + int(f"{zone[1]}{zone[4:]}")
    at = datetime(int(text[7:11]), month, int(text[:2]), int(text[12:14]), int(text[15:17]), tzinfo=UTC)
    return int(at.timestamp()) - shift * 60

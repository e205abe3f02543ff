"""Local days of the zone in which reports count, and the rules that a day is computed by."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

# Counts changes of the code that computes days. Another number computes all days anew.
CODE_VERSION = 7
# This shop, among sites: the others are those whose logs were imported.
SHOP = 0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
MICROSECONDS = 1_000_000


@dataclass(frozen=True)
class DayRules:
    """`zone`: of the local days; `keys`: how many values of a dimension a day keeps; `idle_minutes`: a session ends
    when its next visit comes later than that."""

    zone: str = "UTC"
    keys: int = 300
    idle_minutes: int = 30

    @property
    def idle(self) -> int:
        """In microseconds."""
        return self.idle_minutes * 60 * MICROSECONDS

    @cached_property
    def _zone_info(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def day_of(self, at: datetime) -> date:
        return at.astimezone(self._zone_info).date()

    def window(self, day: date) -> "DayWindow":
        """A day of 23, 24 or 25 hours."""
        return DayWindow(self._midnight(day), self._midnight(day + timedelta(days=1)))

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._zone_info).astimezone(UTC)


@dataclass(frozen=True)
class DayWindow:
    """Visits from `since` to before `until`, in UTC."""

    since: datetime
    until: datetime


def microseconds(at: datetime) -> int:
    """Since 1970."""
    return (at - _EPOCH) // _MICROSECOND


def time_of(at: int) -> datetime:
    """The time of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=at)


def hour_of(at: int) -> int:
    """The UTC hour of a time in microseconds: hours since 1970."""
    return at // (3600 * MICROSECONDS)


def time_of_hour(hour: int) -> datetime:
    return _EPOCH + timedelta(hours=hour)

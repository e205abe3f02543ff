"""The days that an export covers."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta


@dataclass(frozen=True)
class Period:
    """Whole days in UTC, both included; None: no such limit."""

    first: date | None = None
    last: date | None = None

    @property
    def since(self) -> datetime:
        return datetime.combine(self.first or date(1970, 1, 1), time(), UTC)

    @property
    def until(self) -> datetime:
        """The first moment after the period."""
        return datetime.combine((self.last or date(9998, 12, 31)) + timedelta(days=1), time(), UTC)

    def has(self, at: datetime | None) -> bool:
        return at is not None and self.since <= at < self.until

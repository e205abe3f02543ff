"""How the path of an order is chosen and weighed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

# Touchpoints are stored for at least so much longer than the window.
TIME_TO_CLOSE = timedelta(days=14)


@dataclass(frozen=True)
class AttributionRules:
    """`window_days`: how long before the order touchpoints count; `close_hours`: how long after the payment they are
    looked up again; `half_life_hours`: of the model `decay`. A path has those of when it was closed. `keep_days`: how
    long touchpoints are stored, 0 = for ever."""

    window_days: int = 30
    close_hours: int = 72
    half_life_hours: int = 168
    keep_days: int = 400

    @property
    def window(self) -> timedelta:
        return timedelta(days=self.window_days)

    @property
    def touchpoint_days(self) -> int:
        """How long touchpoints must be stored at least."""
        return self.window_days + TIME_TO_CLOSE.days

    @property
    def open_for(self) -> timedelta:
        return timedelta(hours=self.close_hours)

    def is_overdue(self, placed_at: datetime, at: datetime) -> bool:
        """Whether touchpoints that may belong to an order are deleted at `at`. Days of visits that cannot be computed
        keep the path of the order open until then."""
        return self.keep_days > 0 and placed_at - self.window + timedelta(days=self.keep_days) <= at

"""How the path of an order is chosen and weighed."""

from dataclasses import dataclass
from datetime import timedelta

# Days of visits that cannot be computed keep the paths of their orders open, but no longer than this after payment:
# touchpoints are deleted one day.
CLOSED_AT_LATEST = timedelta(days=14)


@dataclass(frozen=True)
class AttributionRules:
    """`window_days`: how long before the order touchpoints count; `close_hours`: how long after the payment they are
    looked up again; `half_life_hours`: of the model `decay`. A path has those of when it was closed."""

    window_days: int = 30
    close_hours: int = 72
    half_life_hours: int = 168

    @property
    def window(self) -> timedelta:
        return timedelta(days=self.window_days)

    @property
    def touchpoint_days(self) -> int:
        """How long touchpoints must be stored at least."""
        return self.window_days + CLOSED_AT_LATEST.days

    @property
    def open_for(self) -> timedelta:
        return timedelta(hours=self.close_hours)

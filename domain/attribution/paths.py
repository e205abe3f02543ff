"""The path to an order: the touchpoints of its learner in the days before it was placed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.attribution.rules import AttributionRules
from domain.visits.days.paths import UNKNOWN

# How many touchpoints of a path count: of a longer one the first and the last 49.
MAX_TOUCHPOINTS = 50
DEFAULT_WINDOW = AttributionRules().window
# No value, and one that names nothing of this shop.
_NAMELESS = frozenset(("", UNKNOWN))


@dataclass(frozen=True)
class PathTouchpoint:
    """A visit that may have led to an order. `channel`, `source` and `campaign` as in the days of visits; `coupon`,
    `special`, `student` and `partner` are its attribution values, "" for none. `is_own`: the student number is that of
    who ordered."""

    event_id: str
    visited_at: datetime
    channel: str
    source: str = ""
    campaign: str = ""
    coupon: str = ""
    special: str = ""
    student: str = ""
    partner: str = ""
    is_direct: bool = False
    is_own: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it says nothing about where the learner came from: direct, and without attribution values."""
        return self.is_direct and _NAMELESS.issuperset((self.coupon, self.special, self.student, self.partner))


def order_path(
    touchpoints: Iterable[PathTouchpoint], placed_at: datetime, window: timedelta = DEFAULT_WINDOW
) -> tuple[PathTouchpoint, ...]:
    """The touchpoints in (placed - window, placed], the earliest first; those of one moment by their event ids. Of more
    than MAX_TOUCHPOINTS the first and the last 49."""
    since = placed_at - window
    path = sorted(
        (touchpoint for touchpoint in touchpoints if since < touchpoint.visited_at <= placed_at),
        key=lambda touchpoint: (touchpoint.visited_at, touchpoint.event_id),
    )
    if len(path) > MAX_TOUCHPOINTS:
        path = [path[0], *path[1 - MAX_TOUCHPOINTS :]]
    return tuple(path)

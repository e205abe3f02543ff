"""Keys of the rows of a day, the names of their figures, and the rows of its visitors."""

from collections.abc import Sequence
from typing import NamedTuple

NAMES = (
    *("visits", "sessions", "confirmed", "possible", "bounces", "timed_sessions", "seconds"),
    *("reached_product", "reached_cart", "reached_checkout", "reached_order", "reached_payment"),
)


class DayKey(NamedTuple):
    dimension: str
    audience: str
    key: str


class HourKey(NamedTuple):
    """`hour`: hours since 1970."""

    dimension: str
    hour: int
    audience: str
    key: str


class TouchpointRow(NamedTuple):
    """A row of `touchpoints`, but for its day. `visited_at`: microseconds since 1970."""

    event_id: str
    visited_at: int
    session_id: str
    channel: str
    source: str
    campaign: str
    term: str
    content: str
    referrer: str
    coupon: str
    special: str
    student: str
    partner: str
    landing: str
    product: str
    was_anonymous: bool
    traffic_class: str


class SessionLearnerRow(NamedTuple):
    """A row of `session_learners`, but for its day."""

    event_id: str
    visited_at: int
    session_id: str
    learner_id: int


class LearnerDayRow(NamedTuple):
    """A row of `learner_days`, but for its day."""

    learner_id: int
    is_first: bool


class VisitorRows(NamedTuple):
    """What a day has of its visitors, one by one. Each in the order of its keys."""

    touchpoints: Sequence[TouchpointRow] = ()
    session_learners: Sequence[SessionLearnerRow] = ()
    learner_days: Sequence[LearnerDayRow] = ()

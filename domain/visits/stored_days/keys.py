"""Keys of the rows of a day, and the names of their figures."""

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

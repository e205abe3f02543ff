"""The rows that a day has of coupons and orders."""

from collections.abc import Sequence
from typing import NamedTuple


class CouponHourRow(NamedTuple):
    """A row of `coupon_hours`, but for its day. `hour`: hours since 1970."""

    hour: int
    coupon: str
    sessions: int
    networks: int
    referrer_hosts: int


class OrderSessionRow(NamedTuple):
    """A row of `order_sessions`, but for its day. `began_at`: microseconds since 1970."""

    order_id: int
    began_at: int


class CommerceRows(NamedTuple):
    """What a day has of coupons and orders. Each in the order of its keys."""

    coupon_hours: Sequence[CouponHourRow] = ()
    order_sessions: Sequence[OrderSessionRow] = ()

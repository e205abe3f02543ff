"""Who came with a code in each hour, as days of visits have counted."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.coupons.leaks.surprise import HOUR
from domain.tables import CouponHour

_DAY = timedelta(days=1)


class HourCounts(NamedTuple):
    """Different sessions and networks of visits with the code, and other sites that led to these."""

    sessions: int = 0
    networks: int = 0
    hosts: int = 0


ByHour = Mapping[datetime, HourCounts]


def of_hour(session: Session, hour: datetime) -> dict[str, HourCounts]:
    """The counts of all folded codes. The hour is in one of three local days, by which the rows are found."""
    days = [(hour + distance * _DAY).date() for distance in (-1, 0, 1)]
    found = _read(session, CouponHour.day.in_(days), CouponHour.hour == hour)
    return {code: hours[hour] for code, hours in found.items()}


def of_codes(session: Session, codes: Collection[str], since: datetime, until: datetime) -> Mapping[str, ByHour]:
    """Folded code -> hour that began from `since` to before `until` -> counts; without those that had nobody."""
    return _read(session, CouponHour.coupon.in_(codes), CouponHour.hour >= since, CouponHour.hour < until)


def whole_hours(since: datetime, until: datetime) -> list[datetime]:
    return [since + number * HOUR for number in range((until - since) // HOUR)]


def _read(session: Session, *conditions: Any) -> Mapping[str, ByHour]:
    columns = (CouponHour.coupon, CouponHour.hour, CouponHour.sessions, CouponHour.networks, CouponHour.referrer_hosts)
    query = select(*columns).where(*conditions)
    found: defaultdict[str, dict[datetime, HourCounts]] = defaultdict(dict)
    for code, hour, *counts in session.execute(query, execution_options={"yield_per": 1_000}):
        # After a change of the zone of reports an hour may be in two days.
        found[code][hour] = max(found[code].get(hour, HourCounts()), HourCounts(*counts))
    return found

"""Counts who came with which code in an hour: with the day, and for the last two hours between two computations of it,
which may take their time."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache

from sqlalchemy.orm import Session

from domain.coupons.queries import normalised
from domain.tables import CouponHour
from domain.visits.days.attribution import coupon_codes
from domain.visits.days.channels import host_of
from domain.visits.days.paths import MAX_LENGTH, UNKNOWN
from domain.visits.raw.day_rows import CouponVisit, coupon_visits
from domain.visits.raw.local_days import SHOP, DayRules, DayWindow, hour_of, time_of_hour
from domain.visits.stored_days import commerce_rows
from domain.visits.stored_days.commerce_keys import CouponHourRow
from domain.visits.stored_days.day_rows import change_digest, find_locked_rollup
from domain.visits.stored_days.digests import without_figures

HOUR = timedelta(hours=1)
# Visits of the hour before may be stored some seconds late.
REFRESHED_HOURS = 2


@dataclass
class _Came:
    sessions: set[str] = field(default_factory=set)
    networks: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)

    def add(self, visit: CouponVisit) -> None:
        if visit.session_id:
            self.sessions.add(visit.session_id)
        if visit.network:
            self.networks.add(visit.network)
        if visit.referrer and (host := host_of(visit.referrer)):
            self.hosts.add(host)


def count(session: Session, window: DayWindow) -> list[CouponHourRow]:
    """The rows of the hours that begin in the window, by their keys. Nobody writes into reports: what names no
    coupon of ours is one row. Visits of which neither session nor network is known, as of people who send a privacy
    signal, are nobody in particular."""
    by_code: defaultdict[tuple[int, str], _Came] = defaultdict(_Came)
    for visit in coupon_visits(session, _whole_hours(window)):
        by_code[hour_of(visit.at), _folded(visit.coupon)].add(visit)
    known = coupon_codes(session, {code for _, code in by_code})
    found: defaultdict[tuple[int, str], _Came] = defaultdict(_Came)
    for (hour, code), came in by_code.items():
        total = found[hour, known.get(code, UNKNOWN)]
        total.sessions |= came.sessions
        total.networks |= came.networks
        total.hosts |= came.hosts
    return [
        CouponHourRow(*key, len(came.sessions), len(came.networks), len(came.hosts))
        for key, came in sorted(found.items())
        if came.sessions or came.networks
    ]


@lru_cache(10_000)
def _folded(code: str) -> str:
    return normalised(code)[:MAX_LENGTH]


def _whole_hours(window: DayWindow) -> DayWindow:
    """From the first hour that begins in the window to the end of the last: of a zone with half hours, these are not
    the hours of the day."""
    return DayWindow(_next_hour(window.since), _next_hour(window.until))


def _next_hour(at: datetime) -> datetime:
    whole = at.replace(minute=0, second=0, microsecond=0)
    return whole if whole == at else whole + HOUR


@dataclass(frozen=True)
class LastHours:
    """The last hours of a day, counted anew. `first`: hours since 1970."""

    day: date
    first: int
    rows: list[CouponHourRow]


def count_last(session: Session, rules: DayRules, at: datetime) -> list[LastHours]:
    """By the days in which they began. Only reads: counting takes too long to make others wait."""
    now = at.replace(minute=0, second=0, microsecond=0)
    by_day: defaultdict[date, list[datetime]] = defaultdict(list)
    for back in reversed(range(REFRESHED_HOURS)):
        by_day[rules.day_of(now - back * HOUR)].append(now - back * HOUR)
    windows = {day: DayWindow(hours[0], hours[-1] + HOUR) for day, hours in by_day.items()}
    return [
        LastHours(day, int(window.since.timestamp()) // 3600, count(session, window)) for day, window in windows.items()
    ]


def store_last(session: Session, counted: Iterable[LastHours]) -> None:
    """In place of what is stored of these hours, with the digests of their days. A day that was never computed is
    about to be, with its hours."""
    for hours in sorted(counted, key=lambda hours: hours.day):
        rollup = find_locked_rollup(session, hours.day, SHOP)
        if rollup is None or not rollup.digest or rollup.finalised_at is not None:
            continue
        is_last = (CouponHour.day == hours.day, CouponHour.hour >= time_of_hour(hours.first))
        before = set(commerce_rows.stored_coupon_hours(session, *is_last, for_update=True))
        if before == set(hours.rows):
            continue
        commerce_rows.delete_coupon_hours(session, *is_last)
        commerce_rows.insert_coupon_hours(session, hours.day, hours.rows)
        change_digest(session, rollup, [*without_figures(before)], without_figures(hours.rows))

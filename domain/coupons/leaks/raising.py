"""Looks at the last whole hour and raises alarms: from the counts that days have of coupons by the hour. Raw visits are
read for the few codes alone whose hour was surprising, to see which sites led there."""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from urllib.parse import urlsplit

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.leaks import hours
from domain.coupons.leaks.surprise import HISTORY, HOUR, MIN_NETWORKS, Baseline, baseline, is_alarming
from domain.database.database import insert_ignoring
from domain.tables import Coupon, CouponAlarm, Visit, VisitRollup

log = logging.getLogger("coursefront.coupons.leaks")

# Whoever dismissed an alarm knows why so many come: it is not raised again for this long.
QUIET = HISTORY / 14
MAX_HOSTS = 20
# Days that were computed by an earlier version of the code have no hours of coupons.
COUNTED_SINCE_VERSION = 6
# The latest that a local day can end, after its midnight of UTC.
_LATEST_END = timedelta(hours=36)
_SHOP = 0


def raise_alarms(session: Session, at: datetime) -> int:
    """Raise those of the last whole hour; how many are new. Again it raises none."""
    hour = at.replace(minute=0, second=0, microsecond=0) - HOUR
    now = hours.of_hour(session, hour)
    many = {code: counts.networks for code, counts in now.items() if counts.networks >= MIN_NETWORKS}
    coupons = _watched(session, many, at) if many else []
    if not coupons:
        return 0
    counted_since = _counted_since(session, hour)
    history = hours.of_codes(session, [coupon.code for coupon in coupons], hour - HISTORY, hour)
    rows = []
    for coupon in coupons:
        since = max(coupon.created_at, coupon.starts_at or coupon.created_at, counted_since)
        networks = {past: counts.networks for past, counts in history.get(coupon.code, {}).items()}
        usual = baseline(networks, hour, since)
        if usual is not None and (row := _alarm(session, coupon, hour, many[coupon.code], usual)) is not None:
            rows.append({**row, "state": "open", "raised_at": at, "reason": ""})
    insert_ignoring(session, CouponAlarm, rows)
    return len(rows)


def _counted_since(session: Session, hour: datetime) -> datetime:
    """Since when all hours before this one are counted. Until the code before has been replaced and all days are
    computed anew, an hour without a row is an unknown one, not one in which nobody came."""
    first = (hour - HISTORY - _LATEST_END).date()
    is_near = (VisitRollup.site == _SHOP, VisitRollup.day >= first, VisitRollup.day <= (hour + HOUR).date())
    rows = session.execute(select(VisitRollup.day, VisitRollup.rules_version).where(*is_near))
    unknown = [day for day, version in rows if not _is_counted(version)]
    if not unknown:
        return datetime.fromtimestamp(0, UTC)
    log.info("alarms about coupons wait: their hours of %s are not counted yet", max(unknown))
    return datetime.combine(max(unknown), time(), UTC) + _LATEST_END


def _is_counted(rules_version: str) -> bool:
    number = rules_version.partition("/")[0]
    return number.isdecimal() and int(number) >= COUNTED_SINCE_VERSION


def _watched(session: Session, codes: Iterable[str], at: datetime) -> list[Coupon]:
    """The coupons with these codes that are in use and meant for few: with a limit or for the members of an
    organisation, and without an alarm that waits or was dismissed lately."""
    known = select(CouponAlarm.coupon_id).where(
        or_(CouponAlarm.state == "open", (CouponAlarm.state == "dismissed") & (CouponAlarm.decided_at > at - QUIET))
    )
    is_for_few = or_(Coupon.total_limit.is_not(None), Coupon.organisation_id.is_not(None))
    query = select(Coupon).where(Coupon.code.in_(list(codes)), Coupon.state == "active", is_for_few)
    return list(session.scalars(query.where(Coupon.id.not_in(known)).order_by(Coupon.id)))


def _alarm(
    session: Session, coupon: Coupon, hour: datetime, networks: int, usual: Baseline
) -> dict[str, object] | None:
    if not is_alarming(usual, networks, has_new_host=True):
        return None
    new_hosts = _hosts(session, coupon.code, hour, hour + HOUR)
    if new_hosts:
        new_hosts -= _hosts(session, coupon.code, hour - HISTORY, hour)
    if not is_alarming(usual, networks, has_new_host=bool(new_hosts)):
        return None
    facts = {"networks": networks, "expected": round(usual.mean, 3), "hosts": sorted(new_hosts)[:MAX_HOSTS]}
    return {"coupon_id": coupon.id, "hour": hour, **facts}


def _hosts(session: Session, code: str, since: datetime, until: datetime) -> set[str]:
    """The other sites that led to visits of people with the code."""
    is_counted = (Visit.visitor_class != "crawler", Visit.address != "", Visit.referrer != "")
    is_within = (Visit.visited_at >= since, Visit.visited_at < until, func.lower(Visit.coupon_id) == code)
    referrers = session.scalars(select(Visit.referrer).where(*is_within, *is_counted).distinct())
    return {host for referrer in referrers if (host := _host(referrer))}


def _host(referrer: str) -> str:
    """ "" for none, and for what looks like an address and is none: visitors send what they like."""
    try:
        return urlsplit(referrer).hostname or ""
    except ValueError:
        return ""

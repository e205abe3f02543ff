"""Looks at the visits of the last whole hour and raises alarms: from raw visits, of which it reads one hour of all and
two weeks of the few codes that had many networks."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.leaks.surprise import HISTORY, HOUR, MIN_NETWORKS, baseline, is_alarming
from domain.coupons.queries import normalised
from domain.database.database import insert_ignoring
from domain.tables import Coupon, CouponAlarm, Visit

# Whoever dismissed an alarm knows why so many come: it is not raised again for this long.
QUIET = HISTORY / 14
MAX_HOSTS = 20


@dataclass
class _Hour:
    networks: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)


def raise_alarms(session: Session, at: datetime) -> int:
    """Raise those of the last whole hour; how many are new. Again it raises none."""
    hour = at.replace(minute=0, second=0, microsecond=0) - HOUR
    now = {code: hours[hour] for code, hours in _hours(session, hour, hour + HOUR).items()}
    many = {code: found for code, found in now.items() if len(found.networks) >= MIN_NETWORKS}
    coupons = _watched(session, many, at)
    history = _hours(session, hour - HISTORY, hour, [coupon.code for coupon in coupons]) if coupons else {}
    rows = [
        row
        for coupon in coupons
        if (row := _alarm(coupon, hour, many[coupon.code], history.get(coupon.code, {}), at)) is not None
    ]
    insert_ignoring(session, CouponAlarm, rows)
    return len(rows)


def _hours(
    session: Session, since: datetime, until: datetime, codes: Collection[str] = ()
) -> Mapping[str, Mapping[datetime, _Hour]]:
    """Normalised code -> hour -> who came with it. `codes`: these alone."""
    columns = (Visit.coupon_id, Visit.visited_at, Visit.address, Visit.referrer)
    is_counted = (Visit.coupon_id != "", Visit.visitor_class == "human", Visit.address != "")
    query = select(*columns).where(Visit.visited_at >= since, Visit.visited_at < until, *is_counted)
    if codes:
        query = query.where(func.lower(Visit.coupon_id).in_(codes))
    found: dict[str, dict[datetime, _Hour]] = defaultdict(lambda: defaultdict(_Hour))
    for code, visited_at, address, referrer in session.execute(query, execution_options={"yield_per": 1_000}):
        hour = found[normalised(code)][visited_at.replace(minute=0, second=0, microsecond=0)]
        hour.networks.add(address)
        if host := _host(referrer):
            hour.hosts.add(host)
    return found


def _host(referrer: str) -> str:
    """ "" for none, and for what looks like an address and is none: visitors send what they like."""
    try:
        return urlsplit(referrer).hostname or ""
    except ValueError:
        return ""


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
    coupon: Coupon, hour: datetime, found: _Hour, before: Mapping[datetime, _Hour], at: datetime
) -> dict[str, object] | None:
    since = max(coupon.created_at, coupon.starts_at or coupon.created_at)
    usual = baseline({at: len(past.networks) for at, past in before.items()}, hour, since)
    new_hosts = found.hosts - {host for past in before.values() for host in past.hosts}
    networks = len(found.networks)
    if usual is None or not is_alarming(usual, networks, has_new_host=bool(new_hosts)):
        return None
    facts = {"networks": networks, "expected": round(usual.mean, 3), "hosts": sorted(new_hosts)[:MAX_HOSTS]}
    return {"coupon_id": coupon.id, "hour": hour, **facts, "state": "open", "raised_at": at, "reason": ""}

"""Which days are to become final, and which final ones have visits that are to be deleted."""

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import VisitRollup, VisitSite
from domain.visits.days import demand
from domain.visits.days.due import DAY, SETTLED_AFTER
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention.periods import Periods
from domain.visits.stored_days.day_rows import StoredRollup, rollup_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_older(at: datetime, than: datetime, days: int) -> bool:
    return days > 0 and than + timedelta(days=days) <= at


def sites(session: Session) -> list[int]:
    """This shop, and the sites whose logs were imported."""
    return [SHOP, *session.scalars(select(VisitSite.id).order_by(VisitSite.id))]


def days_with_visits(session: Session, site: int, rules: DayRules) -> Iterator[date]:
    """The oldest first."""
    raw, since = raw_visits(site), _EPOCH
    while (at := raw.first_time_from(session, since)) is not None:
        yield (day := rules.day_of(at))
        since = rules.window(day).until


def days_to_finalise(session: Session, site: int, rules: DayRules, periods: Periods, at: datetime) -> list[date]:
    """A day earlier than its visits are deleted: those of the day before are needed until then, because a session goes
    on over midnight with the source of its first visit."""
    rows = {row.day: row for row in session.scalars(select(VisitRollup).where(VisitRollup.site == site))}
    days = {day for day, row in rows.items() if row.finalised_at is None}
    for day in days_with_visits(session, site, rules):
        if not _is_over(rules, day, periods, at):
            break
        days |= {day} - rows.keys()
    found = [day for day in days if _is_over(rules, day, periods, at) and is_left(rows.get(day), periods, at)]
    return sorted(found, key=lambda day: (_checked_at(rows.get(day)), day))


def _checked_at(row: StoredRollup | None) -> datetime:
    """Days that stay open are tried again after the others, for which a run may not have the time."""
    return (row and row.checked_at) or _EPOCH


def _is_over(rules: DayRules, day: date, periods: Periods, at: datetime) -> bool:
    window = rules.window(day)
    return is_older(at, window.since, periods.of_open_days) and window.until + SETTLED_AFTER <= at


def is_left(row: StoredRollup | None, periods: Periods, at: datetime) -> bool:
    """Old logs may be imported today: of other sites the period begins with the last import."""
    if row is None or row.site == SHOP:
        return True
    changed = max((time for time in (row.built_at, row.dirty_at) if time is not None), default=at)
    return is_older(at, changed, periods.of_open_days)


def days_to_delete(  # noqa: PLR0913 of which site and by what, and what a dry run would make final
    session: Session, site: int, rules: DayRules, periods: Periods, at: datetime, *, also_final: Collection[date] = ()
) -> list[date]:
    """Final days with visits that are too old, also late ones. The neighbours are final too: a day that is not, may be
    computed again from the visits around midnight and from orders of the day after."""
    days = []
    for day in days_with_visits(session, site, rules):
        if not is_older(at, rules.window(day).until, periods.visits):
            break
        around = {day + distance for distance in (-DAY, 0 * DAY, DAY)}
        if all(_is_final(session, near, site) for near in around.difference(also_final)):
            days.append(day)
    return days


def _is_final(session: Session, day: date, site: int) -> bool:
    """A day without a row has no visits: one with any is computed before."""
    row = rollup_of(session, day, site)
    return row is None or row.finalised_at is not None


def days_with_old_searches(session: Session, rules: DayRules, periods: Periods, at: datetime) -> list[date]:
    """Days of this shop all of whose searches are too old."""
    days = demand.days_with_searches(session, rules)
    return list(takewhile(lambda day: is_older(at, rules.window(day).until, periods.searches), days))


def signs_needed_from(session: Session, site: int, rules: DayRules, periods: Periods, at: datetime) -> datetime:
    """Earlier signs of visitors of another site are of days without a page, or were left by a killed process: they are
    of no day that is open or has visits."""
    is_open = (VisitRollup.site == site, VisitRollup.finalised_at.is_(None))
    first_open = session.scalar(select(func.min(VisitRollup.day)).where(*is_open))
    days = [first_open, next(days_with_visits(session, site, rules), None)]
    oldest = [rules.window(day).since for day in days if day is not None]
    return min([at - timedelta(days=periods.visits), *oldest])


def days_with_hours(  # noqa: PLR0913 as above
    session: Session, site: int, rules: DayRules, periods: Periods, at: datetime, *, also_final: Collection[date] = ()
) -> list[date]:
    """Final days whose hours are too old."""
    has_hours = (VisitRollup.site == site, VisitRollup.hours_deleted_at.is_(None))
    rows = session.scalars(select(VisitRollup).where(*has_hours).order_by(VisitRollup.day))
    days = [row.day for row in rows if row.finalised_at is not None or row.day in also_final]
    return [day for day in days if is_older(at, rules.window(day).until, periods.touchpoints)]

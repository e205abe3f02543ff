"""Deletes visits of final days, signs of visitors, touchpoints and hours of days, a part in a transaction. Deleted
visits are counted in the same transaction: a killed process leaves a day as if it had stopped between two parts."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from domain import fault_points
from domain.database.database import affected_rows
from domain.search import query_log
from domain.tables import VisitHour, VisitorSign, VisitSite
from domain.visits.days import demand, due
from domain.visits.days.figures import HOURLY
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention import due_days
from domain.visits.retention.periods import Periods
from domain.visits.stored_days import commerce_rows, demand_rows, visitor_rows
from domain.visits.stored_days.day_rows import (
    StoredRollup,
    change_digest,
    find_locked_rollup,
    rollup_of,
    stored_hours,
)
from domain.visits.stored_days.demand_keys import DemandRows, without_rare
from domain.visits.stored_days.digests import without_figures

# Visits in one transaction: others who write wait some 50 ms on SQLite.
PART = 5_000
_HOUR = timedelta(hours=1)


def delete_visits(session: Session, site: int, day: date, rules: DayRules) -> int:
    """At most PART visits of a final day, also late ones; their number."""
    row = find_locked_rollup(session, day, site)
    if row is None or row.finalised_at is None:
        return 0
    count = raw_visits(site).delete_some(session, rules.window(day), PART)
    row.deleted_visits += count
    session.flush()
    fault_points.hit("retention.deleted")
    return count


def delete_signs(session: Session, site: int, day: date, rules: DayRules) -> int:
    """Delete signs of the log of another site, of hours that no later day touches: at most PART of them. Before the
    visits of the day, without which no run would find it."""
    if site == SHOP:
        return 0
    window = rules.window(day)
    return _delete_signs(
        session, site, VisitorSign.hour > window.since - _HOUR, VisitorSign.hour <= window.until - _HOUR
    )


def delete_left_signs(session: Session, site: int, rules: DayRules, periods: Periods, at: datetime) -> int:
    """At most PART of those that are of no day with visits. An import of the site waits: its signs come with the first
    visits of their day."""
    if session.scalar(select(VisitSite.id).where(VisitSite.id == site).with_for_update()) is None:
        return 0
    until = due_days.signs_needed_from(session, site, rules, periods, at)
    return _delete_signs(session, site, VisitorSign.hour <= until - _HOUR)


def _delete_signs(session: Session, site: int, *conditions: ColumnElement[bool]) -> int:
    """Some of the first hour."""
    hours = select(VisitorSign.hour).where(VisitorSign.site == site, *conditions)
    first = session.scalar(hours.order_by(VisitorSign.hour).limit(1))
    if first is None:
        return 0
    names = session.scalars(
        select(VisitorSign.session_id).where(VisitorSign.site == site, VisitorSign.hour == first).limit(PART)
    )
    is_first = (VisitorSign.site == site, VisitorSign.hour == first, VisitorSign.session_id.in_(list(names)))
    count = affected_rows(session, delete(VisitorSign).where(*is_first))
    fault_points.hit("retention.signs")
    return count


def delete_hours(session: Session, site: int, day: date, at: datetime) -> int:
    """Delete the figures by the hour of one dimension of a final day, or at last those of coupons and the sessions of
    orders; the number of rows, 0 when none is left. The digest goes on without them.
    """
    row = find_locked_rollup(session, day, site)
    if row is None:
        return 0
    for dimension in sorted(HOURLY):
        is_part = (VisitHour.site == site, VisitHour.dimension == dimension, VisitHour.day == day)
        if hours := stored_hours(session, *is_part):
            change_digest(session, row, hours)
            session.execute(delete(VisitHour).where(*is_part), execution_options={"synchronize_session": False})
            fault_points.hit("retention.hours")
            return len(hours)
    if site == SHOP and (removed := commerce_rows.remove_of_day(session, day)):
        change_digest(session, row, removed)
        fault_points.hit("retention.hours")
        return len(removed)
    row.hours_deleted_at = at
    return 0


def delete_visitors(session: Session, day: date) -> int:
    """Delete at most PART touchpoints, or rows of learners, of a final day of this shop; the number of rows. The digest
    goes on without them."""
    row = find_locked_rollup(session, day, SHOP)
    if row is None:
        return 0
    for table in visitor_rows.KINDS:
        if rows := visitor_rows.stored(session, table, table.day == day, limit=PART):
            change_digest(session, row, list(without_figures(rows)))
            visitor_rows.remove(session, table, day, rows)
            fault_points.hit("retention.visitors")
            return len(rows)
    return 0


def delete_searches(session: Session, day: date, rules: DayRules, at: datetime) -> int:
    """Delete some of the log of searches of a day of this shop, once the day has counted them; their number. Of what
    the day has of them, queries that are too rare to outlive the log become one row first."""
    row = find_locked_rollup(session, day, SHOP)
    if row is None:
        return 0
    if row.searches_deleted_at is None:
        if not _has_counted_searches(session, row, rules, at):
            return 0
        _drop_rare_queries(session, row)
        # Whoever computes the day still, although the lease has ended, has read what is dropped here.
        row.searches_deleted_at, row.lease_token = at, ""
        session.flush()
        fault_points.hit("retention.queries")
    window = rules.window(day)
    return query_log.delete_some(session, window.since, window.until)


def _has_counted_searches(session: Session, row: StoredRollup, rules: DayRules, at: datetime) -> bool:
    """Final days are never computed again, so there is nothing to wait for."""
    if row.finalised_at is not None:
        return True
    if row.built_at is None or row.dirty_at is not None or (row.lease_until is not None and row.lease_until > at):
        return False
    is_over = row.built_at >= rules.window(row.day).until + due.SETTLED_AFTER
    return is_over and due.has_rules(row, rules) and not demand.has_late_searches(session, row, rules)


def _drop_rare_queries(session: Session, row: StoredRollup) -> None:
    before = demand_rows.stored(session, row.day)
    searches = without_rare(before.searches)
    queries = {one.query for one in searches}
    purchases = [one for one in before.purchases if one.query in queries]
    after = DemandRows(searches, purchases, before.unknown_paths)
    demand_rows.write(session, row.day, after)
    removed = without_figures([*before.searches, *before.purchases])
    change_digest(session, row, list(removed), without_figures([*searches, *purchases]))


@dataclass(frozen=True)
class Late:
    """Visits that came after their day was final, and are in no figure of it."""

    site: int
    day: date
    visits: int


def late_visits(session: Session, site: int, day: date, rules: DayRules) -> Late | None:
    row = rollup_of(session, day, site)
    if row is None or row.finalised_at is None:
        return None
    left = raw_visits(site).count_of(session, rules.window(day))
    late = row.deleted_visits + left - row.visits
    return Late(site, day, late) if late > 0 else None

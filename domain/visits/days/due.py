"""Which days are to be computed: those that have changed since, and today."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import VisitRollup
from domain.visits.days import demand, orders, storage
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.stored_days.day_rows import StoredRollup, is_intact

# Visits of the last moments of a day are stored, and refer to its links, until then.
SETTLED_AFTER = timedelta(minutes=10)
# Days whose raw rows a run counts beside yesterday's: each of 90 days within 18 minutes.
CHECKED_DAYS = 5
# Today is computed again after so many times as long as it last took.
PAUSE_FACTOR = 20
# Transactions that began earlier may commit after the computation that did not see them.
COMMIT_TIME = timedelta(minutes=1)
DAY = timedelta(days=1)
_OPEN = (VisitRollup.site == SHOP, VisitRollup.finalised_at.is_(None))


@dataclass(frozen=True)
class Changes:
    """`dirty`: days to compute again; `new`: days without a row; `checked`: those whose raw visits were counted."""

    dirty: list[date]
    new: list[date]
    checked: list[date]


def find_changes(session: Session, rules: DayRules, at: datetime) -> Changes:
    """Only reads: counting takes too long to make others wait. A day that has lost raw visits is left alone, until
    somebody has it computed again: its figures are all that is left of them."""
    checked = _days_to_check(session, rules, at)
    late = _around(row.day for row in checked if day_rows.count_of(session, rules.window(row.day)) > row.visits)
    searched = {row.day for row in checked if demand.has_late_searches(session, row, rules)}
    dirty = {*late, *searched, *_days_of_orders(session, rules)}
    return Changes(sorted(dirty), days_without_row(session, rules, at), [row.day for row in checked])


def note_changes(session: Session, changes: Changes, at: datetime) -> None:
    storage.add_missing(session, changes.new, at)
    storage.mark_dirty(session, changes.dirty, at)
    storage.mark_checked(session, changes.checked, at)


def _days_of_orders(session: Session, rules: DayRules) -> set[date]:
    """Since the last computation: whichever process did it had looked for changed orders just before."""
    last = session.scalar(select(func.max(VisitRollup.built_at)).where(VisitRollup.site == SHOP))
    if last is None:
        return set()
    return {rules.day_of(time) for time in orders.checkout_times(session, last - COMMIT_TIME)}


def _days_to_check(session: Session, rules: DayRules, at: datetime) -> list[StoredRollup]:
    """Yesterday, and some of the days before, by turns: did visits come late?"""
    yesterday = rules.day_of(at) - DAY
    rows = select(VisitRollup).where(*_OPEN, VisitRollup.built_at.is_not(None))
    older = rows.where(VisitRollup.day < yesterday).order_by(VisitRollup.checked_at, VisitRollup.day)
    last = session.scalars(rows.where(VisitRollup.day == yesterday))
    return [*last, *session.scalars(older.limit(CHECKED_DAYS))]


def _around(days: Iterable[date]) -> set[date]:
    """The day of a late visit, the next, to which its session may go on, and the one before, whose link it may have
    followed."""
    return {day + distance for day in days for distance in (-DAY, 0 * DAY, DAY)}


def days_without_row(session: Session, rules: DayRules, at: datetime) -> list[date]:
    """Days with visits or searches that were never computed, and today."""
    today = rules.day_of(at)
    known = set(session.scalars(select(VisitRollup.day).where(VisitRollup.site == SHOP)))
    found, since = {today}, day_rows.first_time_from(session, datetime.fromtimestamp(0, at.tzinfo))
    while since is not None and (day := rules.day_of(since)) < today:
        found.add(day)
        since = day_rows.first_time_from(session, rules.window(day).until)
    found |= {day for day in demand.days_with_searches(session, rules) if day < today}
    return sorted(found - known)


def due_days(session: Session, rules: DayRules, at: datetime) -> list[date]:
    """The oldest first; today is the last."""
    rows = session.scalars(select(VisitRollup).where(*_OPEN).order_by(VisitRollup.day))
    today = rules.day_of(at)
    return [row.day for row in _until(rows, today) if _is_due(row, rules, at, is_today=row.day == today)]


def imported_days(session: Session, rules: DayRules, site: int) -> list[date]:
    """Days of another site that an import has changed since they were computed, or whose rules are others now."""
    is_open = (VisitRollup.site == site, VisitRollup.finalised_at.is_(None))
    rows = session.scalars(select(VisitRollup).where(*is_open).order_by(VisitRollup.day))
    return [row.day for row in rows if row.dirty_at is not None or row.built_at is None or not has_rules(row, rules)]


def _until(rows: Iterable[StoredRollup], today: date) -> Iterable[StoredRollup]:
    return (row for row in rows if row.day <= today)


def _is_due(row: StoredRollup, rules: DayRules, at: datetime, *, is_today: bool) -> bool:
    if row.lease_until is not None and row.lease_until > at:
        return False
    if row.built_at is None or not has_rules(row, rules):
        return True
    if is_today:
        return at >= row.built_at + PAUSE_FACTOR * timedelta(milliseconds=row.duration_ms)
    return row.dirty_at is not None or row.built_at < rules.window(row.day).until + SETTLED_AFTER <= at


def has_rules(row: StoredRollup, rules: DayRules) -> bool:
    """Whether the day was computed by these rules."""
    return are_rules(row.rules_version, row.zone, rules)


def are_rules(rules_version: str, zone: str, rules: DayRules) -> bool:
    """Whether what a day has noted of its computation are these rules."""
    return rules_version == storage.rules_version(rules) and zone == rules.zone


def stands(session: Session, row: StoredRollup, rules: DayRules) -> bool:
    """Whether the stored figures say more than the raw visits do now: these are as many as were counted, but some have
    lost their learner since then. A day that was computed before it was over is computed again all the same."""
    if row.built_at is None or row.erased_at is None or row.erased_at < row.built_at:
        return False
    window = rules.window(row.day)
    is_due = row.dirty_at is not None or not has_rules(row, rules) or row.built_at < window.until + SETTLED_AFTER
    if is_due or raw_visits(row.site).count_of(session, window) != row.visits:
        return False
    return is_intact(session, row)

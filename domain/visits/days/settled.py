"""Whether days of visits of the shop are computed as they will stay."""

from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import VisitRollup
from domain.visits.days.due import SETTLED_AFTER, has_rules
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.stored_days.day_rows import StoredRollup


def are_settled(session: Session, rules: DayRules, first: date, last: date, at: datetime) -> bool:
    """Whether each day from `first` to `last` that is over and has visits was computed from all that was stored of it.
    Visits that are stored later may change it all the same."""
    between = (VisitRollup.site == SHOP, VisitRollup.day >= first, VisitRollup.day <= last)
    known = {row.day: row for row in session.scalars(select(VisitRollup).where(*between))}
    day, until = first, min(last, rules.day_of(at) - timedelta(days=1))
    while day <= until:
        row = known.get(day)
        if not (_is_empty(session, rules, day) if row is None else _is_settled(row, rules)):
            return False
        day += timedelta(days=1)
    return True


def _is_empty(session: Session, rules: DayRules, day: date) -> bool:
    window = rules.window(day)
    visited_at = day_rows.first_time_from(session, window.since)
    return visited_at is None or visited_at >= window.until


def _is_settled(row: StoredRollup, rules: DayRules) -> bool:
    if row.finalised_at is not None:
        return True
    if row.built_at is None or row.dirty_at is not None or not has_rules(row, rules):
        return False
    return row.built_at >= rules.window(row.day).until + SETTLED_AFTER

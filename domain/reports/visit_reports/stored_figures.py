"""Reads the sums of days and hours of visits, of this shop."""

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain.reports.visit_reports.figures import StoredSums
from domain.tables import VisitDay, VisitHour, VisitRollup
from domain.visits.days.figures import ALL
from domain.visits.raw.local_days import SHOP
from domain.visits.stored_days.keys import NAMES

# A dimension and a value of it.
Value = tuple[str, str]
EVERYTHING: Value = ("all", ALL)


class Span(NamedTuple):
    """Days from `since` to `until`, both included. `cut`: of the last one only hours that begin before that."""

    since: date
    until: date
    cut: datetime | None = None


class BuiltState(NamedTuple):
    """`first_day`: the first that was computed, None while there is none; `built_at`: when figures of a period were
    last computed; `waiting`: its days that are to be computed again, because visits or orders have changed them."""

    first_day: date | None
    built_at: datetime | None
    waiting: int


def built_state(session: Session, span: Span) -> BuiltState:
    own = (VisitRollup.site == SHOP, VisitRollup.built_at.is_not(None))
    first = session.scalar(select(func.min(VisitRollup.day)).where(*own))
    in_span = (VisitRollup.site == SHOP, VisitRollup.day >= span.since, VisitRollup.day <= span.until)
    at = session.scalar(select(func.max(VisitRollup.built_at)).where(*in_span))
    is_changed = (VisitRollup.built_at.is_not(None), VisitRollup.dirty_at.is_not(None))
    waiting = session.scalar(select(func.count()).select_from(VisitRollup).where(*in_span, *is_changed))
    return BuiltState(first, at, int(waiting or 0))


def has_hours(session: Session, day: date) -> bool:
    """Whether the figures by the hour of a day are still there."""
    deleted = select(VisitRollup.day).where(
        VisitRollup.site == SHOP, VisitRollup.day == day, VisitRollup.hours_deleted_at.is_not(None)
    )
    return session.scalar(deleted) is None


def _sums(table: type[VisitDay | VisitHour]) -> list[Any]:
    return [func.sum(getattr(table, name)) for name in NAMES]


def _of_days(dimension: str, since: date, until: date, *keys: Any) -> Select[Any]:
    is_day = (VisitDay.site == SHOP, VisitDay.dimension == dimension, VisitDay.day >= since, VisitDay.day <= until)
    return select(*keys, *_sums(VisitDay)).where(*is_day).group_by(*keys)


def _of_hours(dimension: str, day: date, cut: datetime | None, *keys: Any) -> Select[Any]:
    is_hour = [VisitHour.site == SHOP, VisitHour.dimension == dimension, VisitHour.day == day]
    if cut is not None:
        is_hour.append(VisitHour.hour < cut)
    return select(*keys, *_sums(VisitHour)).where(*is_hour).group_by(*keys)


def by_audience(session: Session, value: Value, span: Span) -> dict[str, StoredSums]:
    """The sums of one value, of each audience that has any."""
    dimension, key = value
    found: dict[str, StoredSums] = {}
    last = span.until if span.cut is None else span.until - timedelta(days=1)
    queries = [_of_days(dimension, span.since, last, VisitDay.audience).where(VisitDay.key == key)]
    if span.cut is not None:
        queries.append(_of_hours(dimension, span.until, span.cut, VisitHour.audience).where(VisitHour.key == key))
    for query in queries:
        for audience, *numbers in session.execute(query):
            found[audience] = found.get(audience, StoredSums.zeros()).plus(StoredSums.of(numbers))
    return found


def by_key(session: Session, dimension: str, audience: str, span: Span) -> dict[str, StoredSums]:
    """The sums of every value of a dimension."""
    found: dict[str, StoredSums] = {}
    last = span.until if span.cut is None else span.until - timedelta(days=1)
    queries = [_of_days(dimension, span.since, last, VisitDay.key).where(VisitDay.audience == audience)]
    if span.cut is not None:
        hours = _of_hours(dimension, span.until, span.cut, VisitHour.key)
        queries.append(hours.where(VisitHour.audience == audience))
    for query in queries:
        for key, *numbers in session.execute(query):
            found[key] = found.get(key, StoredSums.zeros()).plus(StoredSums.of(numbers))
    return found


def by_day(session: Session, value: Value, audience: str, span: Span) -> dict[date, StoredSums]:
    """The sums of one value, of each day that has any."""
    dimension, key = value
    last = span.until if span.cut is None else span.until - timedelta(days=1)
    query = _of_days(dimension, span.since, last, VisitDay.day)
    rows = session.execute(query.where(VisitDay.audience == audience, VisitDay.key == key))
    found = {day: StoredSums.of(numbers) for day, *numbers in rows}
    if span.cut is not None:
        hours = _of_hours(dimension, span.until, span.cut, VisitHour.audience)
        for _, *numbers in session.execute(hours.where(VisitHour.audience == audience, VisitHour.key == key)):
            found[span.until] = StoredSums.of(numbers)
    return found


def by_hour(session: Session, value: Value, audience: str, day: date) -> dict[datetime, StoredSums]:
    """Hours of UTC."""
    dimension, key = value
    query = _of_hours(dimension, day, None, VisitHour.hour)
    rows = session.execute(query.where(VisitHour.audience == audience, VisitHour.key == key))
    return {hour: StoredSums.of(numbers) for hour, *numbers in rows}

"""Days of sales as they are stored: which are to be computed, and one transaction that writes one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.reports import sales_lines
from domain.reports.sale_days import DIMENSIONS, Row, SaleFigures, SaleKey
from domain.tables import SaleDay, SaleRollup
from domain.visits.raw.local_days import DayRules

# Transactions that began earlier may commit after the look for changed orders that did not see them.
COMMIT_TIME = timedelta(minutes=1)
# Days that a run computes although nothing has changed, the ones that were computed longest ago: a product that moved
# to another category, or rows that somebody changed, are found so.
TURNS = 5
TURN_AFTER = timedelta(hours=1)
DAY = timedelta(days=1)
_CHUNK = 500
_UNSYNCHRONISED = {"synchronize_session": False}


@dataclass(frozen=True)
class SaleChanges:
    """`days` to compute again, found by a look at `at`, whose local day is `today`."""

    days: list[date]
    today: date
    at: datetime


@dataclass(frozen=True)
class ComputedSales:
    """A day as it was at `read_at`; `version`: of its row then."""

    day: date
    rows: tuple[Row, ...]
    version: int
    read_at: datetime


def find_changes(session: Session, rules: DayRules, at: datetime) -> SaleChanges:
    """Only reads. The first time, and after a change of the zone, all days with sales."""
    checked_at = session.scalar(select(func.max(SaleRollup.checked_at)))
    other_zone = select(SaleRollup.day).where(SaleRollup.zone.not_in(("", rules.zone))).limit(1)
    is_all = checked_at is None or session.scalar(other_zone) is not None
    times = sales_lines.changed_since(session, None if is_all or checked_at is None else checked_at - COMMIT_TIME)
    return SaleChanges(sorted({rules.day_of(time) for time in times}), rules.day_of(at), at)


def note_changes(session: Session, changes: SaleChanges) -> None:
    """In one transaction with the time up to which was looked: a day that is not computed now is the next run's."""
    row: dict[str, Any] = {"zone": "", "version": 0}
    days = sorted({*changes.days, changes.today})
    insert_ignoring(session, SaleRollup, [{**row, "day": day, "dirty_at": changes.at} for day in days])
    _mark_dirty(session, changes.days, changes.at)
    is_today = SaleRollup.day == changes.today
    session.execute(update(SaleRollup).where(is_today).values(checked_at=changes.at))


def _mark_dirty(session: Session, days: Sequence[date], at: datetime, **values: Any) -> None:
    for part in _parts(days):
        marked = update(SaleRollup).where(SaleRollup.day.in_(part)).values(dirty_at=at, **values)
        session.execute(marked, execution_options=_UNSYNCHRONISED)


def due_days(session: Session, rules: DayRules, at: datetime) -> list[date]:
    """Days that have changed, or were computed by another zone, the oldest first; then some that take their turn."""
    is_due = SaleRollup.dirty_at.is_not(None) | SaleRollup.built_at.is_(None) | (SaleRollup.zone != rules.zone)
    due = session.scalars(select(SaleRollup.day).where(is_due).order_by(SaleRollup.day)).all()
    is_old = (SaleRollup.built_at < at - TURN_AFTER, SaleRollup.day.not_in(due[:_CHUNK]))
    turn = select(SaleRollup.day).where(*is_old).order_by(SaleRollup.built_at, SaleRollup.day).limit(TURNS)
    return list(dict.fromkeys((*due, *session.scalars(turn))))


def version_of(session: Session, day: date) -> int | None:
    """None for a day without a row."""
    return session.scalar(select(SaleRollup.version).where(SaleRollup.day == day))


def add_day(session: Session, day: date, at: datetime) -> None:
    insert_ignoring(session, SaleRollup, [{"day": day, "zone": "", "version": 0, "dirty_at": at}])


def stored_rows(session: Session, day: date) -> tuple[Row, ...]:
    """By their keys, as they are computed."""
    names = (*SaleKey._fields, *SaleFigures._fields)
    query = select(*(getattr(SaleDay, name) for name in names)).where(*_of_day(day))
    width = len(SaleKey._fields)
    rows = session.execute(query)
    return tuple(sorted((SaleKey(*row[:width]), SaleFigures(*row[width:])) for row in rows))


def sale_rows(session: Session, dimension: str, first: date, last: date) -> list[tuple[date, SaleKey, SaleFigures]]:
    """What is stored of one dimension on these days, both included; by day, currency and key."""
    names = ("day", *SaleKey._fields, *SaleFigures._fields)
    in_period = (SaleDay.dimension == dimension, SaleDay.day >= first, SaleDay.day <= last)
    query = select(*(getattr(SaleDay, name) for name in names)).where(*in_period)
    rows = session.execute(query.order_by(SaleDay.day, SaleDay.currency, SaleDay.key))
    width = 1 + len(SaleKey._fields)
    return [(row[0], SaleKey(*row[1:width]), SaleFigures(*row[width:])) for row in rows]


def _of_day(day: date) -> tuple[Any, ...]:
    """The dimensions are named, as the key begins with them."""
    return SaleDay.dimension.in_(DIMENSIONS), SaleDay.day == day


def store(session: Session, computed: ComputedSales, rules: DayRules) -> bool | None:
    """Whether anything differs from before; None, and nothing is written, when the row of the day has another version:
    another process has stored it, or an erasure has changed it, since it was read."""
    query = select(SaleRollup).where(SaleRollup.day == computed.day).with_for_update()
    rollup = session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    if rollup is None or rollup.version != computed.version:
        return None
    is_changed = stored_rows(session, computed.day) != computed.rows
    if is_changed:
        session.execute(delete(SaleDay).where(*_of_day(computed.day)), execution_options=_UNSYNCHRONISED)
        table: Any = SaleDay.__table__
        rows = [{"day": computed.day, **key._asdict(), **figures._asdict()} for key, figures in computed.rows]
        for part in _parts(rows):
            session.execute(insert(table), part)
    rollup.version += 1
    rollup.zone, rollup.built_at = rules.zone, computed.read_at
    # A mark from after the orders were read stays.
    if rollup.dirty_at is not None and rollup.dirty_at <= computed.read_at:
        rollup.dirty_at = None
    session.flush()
    return is_changed


def erase_number(session: Session, learner_id: int, student_number: str, at: datetime) -> None:
    """Take the student number of a learner out of the days of their orders, at the end of the account. The figures come
    back under "(erased)" when the days are computed next; who computes one now stores nothing."""
    # Each zone has the time in a day that is at most one away from that of UTC.
    times = sales_lines.times_of_learner(session, learner_id)
    days = sorted({time.date() + distance for time in times for distance in (-DAY, 0 * DAY, DAY)})
    _mark_dirty(session, days, at, version=SaleRollup.version + 1)
    for part in _parts(days):
        is_theirs = (SaleDay.dimension == "student", SaleDay.day.in_(part), SaleDay.key == student_number)
        session.execute(delete(SaleDay).where(*is_theirs), execution_options=_UNSYNCHRONISED)


def _parts(values: Sequence[Any]) -> Iterator[Any]:
    return (values[start : start + _CHUNK] for start in range(0, len(values), _CHUNK))

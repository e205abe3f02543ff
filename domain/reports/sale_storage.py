"""Days of sales as they are stored, and one transaction that writes one."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.reports import sales_lines
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED, DayRollups
from domain.reports.sale_days import DIMENSIONS, Row, SaleFigures, SaleKey
from domain.tables import SaleDay, SaleRollup
from domain.visits.raw.local_days import DayRules

ROLLUPS = DayRollups(SaleRollup)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class ComputedSales:
    """A day as it was at `read_at`; `version`: of its row then."""

    day: date
    rows: tuple[Row, ...]
    version: int
    read_at: datetime


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
    rollup = ROLLUPS.lock(session, computed.day, computed.version)
    if rollup is None:
        return None
    is_changed = stored_rows(session, computed.day) != computed.rows
    if is_changed:
        session.execute(delete(SaleDay).where(*_of_day(computed.day)), execution_options=UNSYNCHRONISED)
        table: Any = SaleDay.__table__
        rows = [{"day": computed.day, **key._asdict(), **figures._asdict()} for key, figures in computed.rows]
        for part in parts_of(rows, CHUNK):
            session.execute(insert(table), part)
    ROLLUPS.note_built(rollup, rules, computed.read_at)
    session.flush()
    return is_changed


def erase_number(session: Session, learner_id: int, student_number: str, at: datetime) -> None:
    """Take the student number of a learner out of the days of their orders, at the end of the account. The figures come
    back under "(erased)" when the days are computed next; who computes one now stores nothing."""
    # Each zone has the time in a day that is at most one away from that of UTC.
    times = sales_lines.times_of_learner(session, learner_id)
    days = sorted({time.date() + distance for time in times for distance in (-DAY, 0 * DAY, DAY)})
    ROLLUPS.mark_dirty(session, days, at, forbid=True)
    for part in parts_of(days, CHUNK):
        is_theirs = (SaleDay.dimension == "student", SaleDay.day.in_(part), SaleDay.key == student_number)
        session.execute(delete(SaleDay).where(*is_theirs), execution_options=UNSYNCHRONISED)

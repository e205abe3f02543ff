"""The rows of a day of this shop that are of single visitors: touchpoints, and the learners who were there. Imported
logs know neither."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from domain.database.cycle_collector import paused_collector
from domain.database.parts import parts_of
from domain.tables import LearnerDay, SessionLearner, Touchpoint
from domain.visits.raw.local_days import microseconds, time_of
from domain.visits.stored_days.digests import Row, VisitorRow, without_figures
from domain.visits.stored_days.keys import LearnerDayRow, SessionLearnerRow, TouchpointRow, VisitorRows

VisitorTable = type[Touchpoint | SessionLearner | LearnerDay]
# In the order of the fields of VisitorRows.
KINDS: dict[VisitorTable, Any] = {
    Touchpoint: TouchpointRow,
    SessionLearner: SessionLearnerRow,
    LearnerDay: LearnerDayRow,
}
_CHUNK = 5_000
# Keys in one statement.
_PART = 1_000
_UNSYNCHRONISED = {"synchronize_session": False}


def columns_of(table: VisitorTable) -> list[Any]:
    return [table.__table__.c[name] for name in KINDS[table]._fields]


def row_of(table: VisitorTable, values: Sequence[Any]) -> Any:
    """The row of its columns."""
    row = KINDS[table]._make(values)
    return row._replace(visited_at=microseconds(row.visited_at)) if hasattr(row, "visited_at") else row


def stored(session: Session, table: VisitorTable, *conditions: Any, limit: int | None = None) -> list[Any]:
    query = select(*columns_of(table)).where(*conditions).limit(limit)
    with paused_collector():
        return [row_of(table, row) for row in session.execute(query)]


def count_of(session: Session, day: date) -> int:
    counts = (session.scalar(select(func.count()).select_from(table).where(table.day == day)) for table in KINDS)
    return sum(count or 0 for count in counts)


def stored_of_day(session: Session, day: date) -> Iterable[Row]:
    """Rows of all tables, for the digest."""
    of_tables = (stored(session, table, table.__table__.c.day == day) for table in KINDS)
    return without_figures(chain.from_iterable(of_tables))


def write(session: Session, day: date, rows: VisitorRows) -> None:
    """In place of those of the day. Today is computed again and again: rows that are there already stay."""
    of_tables: tuple[Sequence[Any], ...] = rows
    for table, of_table in zip(KINDS, of_tables, strict=True):
        before, now = set(stored(session, table, table.day == day)), set(of_table)
        remove(session, table, day, sorted(before - now))
        insert(session, table, day, sorted(now - before))


def insert(session: Session, table: VisitorTable, day: date, rows: Sequence[VisitorRow]) -> None:
    """The driver takes the tuples as they are: SQLAlchemy's handling of each value would cost more than the insert."""
    text, is_timed = _insert_text(table, session.get_bind().dialect.name), table is not LearnerDay
    for part in parts_of(rows, _CHUNK):
        values: Iterable[Any] = part
        if is_timed:
            values = ((event_id, _time_text(at), *rest) for event_id, at, *rest in part)
        day_text = day.isoformat()
        session.connection().exec_driver_sql(text, [(day_text, *row) for row in values])


def remove(session: Session, table: VisitorTable, day: date, rows: Sequence[VisitorRow]) -> None:
    """Delete rows of a day. The first column is their key."""
    key = columns_of(table)[0]
    for part in parts_of(rows, _PART):
        keys = [row[0] for row in part]
        session.execute(delete(table).where(table.day == day, key.in_(keys)), execution_options=_UNSYNCHRONISED)


def _time_text(at: int) -> str:
    return time_of(at).isoformat(" ", "microseconds")[:26]


@lru_cache(6)
def _insert_text(table: VisitorTable, dialect: str) -> str:
    names = ("day", *KINDS[table]._fields)
    places = ", ".join(["?" if dialect == "sqlite" else "%s"] * len(names))
    return f"INSERT INTO {table.__tablename__} ({', '.join(names)}) VALUES ({places})"  # noqa: S608 names of columns


in_order = attrgetter("visited_at", "event_id")

"""The stored rows of a day of this shop that say what people looked for: searches, what was bought after them, and
addresses that lead nowhere."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import SearchDay, SearchPurchase, UnknownPathDay
from domain.visits.stored_days.demand_keys import DemandRows, SearchDayRow, SearchPurchaseRow, UnknownPathRow
from domain.visits.stored_days.digests import Row, without_figures

DemandTable = type[SearchDay | SearchPurchase | UnknownPathDay]
# In the order of the fields of DemandRows.
KINDS: dict[DemandTable, Any] = {
    SearchDay: SearchDayRow,
    SearchPurchase: SearchPurchaseRow,
    UnknownPathDay: UnknownPathRow,
}
_CHUNK = 1_000


def stored(session: Session, day: date) -> DemandRows:
    return DemandRows(*(_stored_of(session, table, day) for table in KINDS))


def stored_searches(session: Session, day: date) -> list[SearchDayRow]:
    return _stored_of(session, SearchDay, day)


def _stored_of(session: Session, table: DemandTable, day: date) -> list[Any]:
    kind, columns = KINDS[table], table.__table__.c
    rows = session.execute(select(*(columns[name] for name in kind._fields)).where(columns.day == day))
    return sorted(kind._make(row) for row in rows)


def stored_of_day(session: Session, day: date) -> Iterable[Row]:
    """Rows of all tables, for the digest."""
    return without_figures(chain(*stored(session, day)))


def write(session: Session, day: date, rows: DemandRows) -> None:
    """In place of those of the day. Today is computed again and again: a table whose rows are the same stays."""
    of_tables: tuple[Sequence[Any], ...] = rows
    for table, now in zip(KINDS, of_tables, strict=True):
        if _stored_of(session, table, day) == list(now):
            continue
        unsynchronised = {"synchronize_session": False}
        session.execute(delete(table).where(table.__table__.c.day == day), execution_options=unsynchronised)
        for part in parts_of(now, _CHUNK):
            session.execute(insert(table), [{"day": day, **row._asdict()} for row in part])

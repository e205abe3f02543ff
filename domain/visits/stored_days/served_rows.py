"""The stored rows of a day of this shop that say what was served, and how much of it the script has seen."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from domain.tables import ServedDay


class ServedDayRow(NamedTuple):
    """A row of `served_days`, but for its day."""

    agent_class: str
    documents: int
    seen: int


def stored_of_day(session: Session, day: date) -> list[ServedDayRow]:
    """In the order of their keys; also for the digest."""
    columns = (ServedDay.agent_class, ServedDay.documents, ServedDay.seen)
    rows = session.execute(select(*columns).where(ServedDay.day == day))
    return sorted(ServedDayRow(name, int(documents), int(seen)) for name, documents, seen in rows)


def write(session: Session, day: date, rows: Sequence[ServedDayRow]) -> None:
    """In place of those of the day. Today is computed again and again: rows that are the same stay."""
    if stored_of_day(session, day) == list(rows):
        return
    unsynchronised = {"synchronize_session": False}
    session.execute(delete(ServedDay).where(ServedDay.day == day), execution_options=unsynchronised)
    if rows:
        session.execute(insert(ServedDay), [{"day": day, **row._asdict()} for row in rows])

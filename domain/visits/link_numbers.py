"""The student number of an erased learner, in visits of those who followed the links. They may be millions: they are
looked through a part at a time, and for a day those that are stored late; then all once more."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.tables import ErasedNumber, Visit
from domain.visits.erased import ERASED, pattern_of

# Visits that are looked at in one transaction.
PART = 20_000
# A visit that waits longer, in the spool of a host that is away, keeps the number, which is nobody's any more.
LATE = timedelta(days=1)


def note(session: Session, student_number: str, at: datetime) -> None:
    """The visits of the time before lose this number, by the periodic task."""
    session.execute(delete(ErasedNumber).where(ErasedNumber.number == student_number))
    row = {"number": student_number, "erased_at": at, "scanned_to": 0, "is_last_pass": False}
    insert_ignoring(session, ErasedNumber, [row])


def erase_some(session: Session, at: datetime) -> int:
    """Look at the next visits for one number; how many. 0: there are none left for now."""
    newest = session.scalar(select(func.max(Visit.id))) or 0
    is_left = ErasedNumber.scanned_to < newest
    query = select(ErasedNumber).where(is_left).order_by(ErasedNumber.number).limit(1).with_for_update()
    row = session.scalars(query.execution_options(populate_existing=True)).first()
    if row is not None:
        return _look_at_part(session, row, newest)
    _end_passes(session, at)
    return 0


def _look_at_part(session: Session, row: ErasedNumber, newest: int) -> int:
    ids = select(Visit.id).where(Visit.id > row.scanned_to).order_by(Visit.id)
    last = session.scalar(ids.offset(PART - 1).limit(1)) or newest
    is_theirs = (func.lower(Visit.student_number) == row.number, Visit.visited_at <= row.erased_at)
    found = session.execute(
        select(Visit.id, Visit.url).where(Visit.id > row.scanned_to, Visit.id <= last, *is_theirs)
    ).all()
    number = pattern_of(row.number)
    for visit_id, url in found:
        values: dict[str, Any] = {"student_number": ERASED, "url": number.sub(ERASED, url)}
        session.execute(update(Visit).where(Visit.id == visit_id).values(values))
    row.scanned_to = last
    return PART


def _end_passes(session: Session, at: datetime) -> None:
    """Ids are given before they are committed: one of a slow transaction may have been passed over."""
    is_old = ErasedNumber.erased_at < at - LATE
    session.execute(delete(ErasedNumber).where(is_old, ErasedNumber.is_last_pass))
    session.execute(update(ErasedNumber).where(is_old).values(scanned_to=0, is_last_pass=True))


def left(session: Session) -> int:
    """How many visits are still to be looked at, at most: ids may be missing."""
    newest = session.scalar(select(func.max(Visit.id))) or 0
    oldest = session.scalar(select(func.min(Visit.id))) or 0
    passed = session.scalars(select(ErasedNumber.scanned_to).where(ErasedNumber.scanned_to < newest))
    return sum(newest - max(scanned, oldest - 1) for scanned in passed)

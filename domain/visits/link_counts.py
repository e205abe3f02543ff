"""What the share links of a learner brought, by days: for the export of their account, and what its deletion erases."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from operator import add
from typing import Any

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.orm import Session

from domain.tables import Learner, VisitDay, VisitRollup
from domain.visits.days import storage
from domain.visits.erased import ERASED
from domain.visits.raw.local_days import SHOP
from domain.visits.stored_days.day_rows import (
    change_digest,
    erased_at,
    is_day,
    lock_rollups,
    locked_rollup,
    stored_days,
)
from domain.visits.stored_days.digests import FigureRow
from domain.visits.stored_days.keys import NAMES, DayKey, HourKey

ExportedTable = Select[*tuple[Any, ...]]
_IS_STUDENT = (VisitDay.site == SHOP, VisitDay.dimension == "student")


def links(learner_id: int) -> ExportedTable:
    """Numbers of visits and sessions, of whoever followed the links."""
    columns = (VisitDay.day, VisitDay.audience, VisitDay.visits, VisitDay.sessions)
    number = select(Learner.student_number).where(Learner.id == learner_id).scalar_subquery()
    return select(*columns).where(*_IS_STUDENT, VisitDay.key == number).order_by(VisitDay.day, VisitDay.audience)


EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {"shareLinkDays": links}


def erase(session: Session, student_number: str, at: datetime) -> None:
    """The days count what they counted, for nobody in particular. A day that is computed at this moment is computed
    again, because it may have read the number before; one that was stored a moment ago is read as it is now."""
    lock_rollups(session)
    storage.revoke_leases(session, at)
    theirs = select(VisitDay.day).where(*_IS_STUDENT, VisitDay.key == student_number).with_for_update()
    for day in sorted(set(session.scalars(theirs))):
        rollup = locked_rollup(session, day)
        is_of_day = (*_IS_STUDENT, VisitDay.day == day, VisitDay.key.in_((student_number, ERASED)))
        removed = stored_days(session, *is_of_day, for_update=True)
        session.execute(delete(VisitDay).where(*is_of_day), execution_options={"synchronize_session": False})
        added = _erased_rows(removed)
        shared = {"site": SHOP, "day": day}
        values = [{**shared, **key._asdict(), **dict(zip(NAMES, sums, strict=True))} for key, sums in added]
        session.execute(insert(VisitDay), values)
        # A day that was tampered with before keeps a digest that does not fit.
        change_digest(session, rollup, removed, added)
        session.execute(update(VisitRollup).where(*is_day(day)).values(erased_at=erased_at(at)))


def _erased_rows(rows: Iterable[FigureRow]) -> list[FigureRow]:
    """One for each audience: of the number, and of those that were erased before."""
    sums: dict[DayKey | HourKey, list[int]] = {}
    for key, figures in rows:
        total = sums.setdefault(key._replace(key=ERASED), [0] * len(NAMES))
        total[:] = map(add, total, figures)
    return list(sums.items())

"""Removes a site whose logs were imported, with its visits and days. The site itself goes last: stopped at any time,
the same command goes on."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from domain.database.database import Database, affected_rows
from domain.log_import import storing
from domain.tables import ImportedVisit, VisitDay, VisitHour, VisitorSign, VisitRollup, VisitSite, WarehouseFile
from domain.visits.stored_days.day_rows import of_day

# Visits in one transaction: others who write wait some 50 ms on SQLite.
PART = 5_000
# Rows that are deleted, and rows in all.
ShowProgress = Callable[[int, int], None]
_BY_DAY: tuple[Any, ...] = (VisitDay, VisitHour)


def remove(database: Database, name: str, show: ShowProgress) -> int | None:
    """The number of visits; None when there is no such site."""
    with database.read_session() as session:
        site = storing.find_site(session, name)
        if site is None:
            return None
        visits, total = _count(session, ImportedVisit, site), sum(_count(session, table, site) for table in _TABLES)
    done = 0
    for delete_part in (_delete_visits, _delete_signs, _delete_day):
        while count := database.write_sync(delete_part, site):
            done += count
            show(min(done, total), total)
    database.write_sync(_delete_site, site)
    return visits


_TABLES: tuple[Any, ...] = (ImportedVisit, VisitorSign, VisitDay, VisitHour)


def _count(session: Session, table: Any, site: int) -> int:
    return session.scalar(select(func.count()).select_from(table).where(table.site == site)) or 0


def _delete_visits(session: Session, site: int) -> int:
    return _delete_until(session, ImportedVisit, ImportedVisit.visited_at, site)


def _delete_signs(session: Session, site: int) -> int:
    return _delete_until(session, VisitorSign, VisitorSign.hour, site)


def _delete_until(session: Session, table: Any, time: Any, site: int) -> int:
    """All rows up to the time of the last of a part."""
    times = select(time).where(table.site == site).order_by(time)
    until = session.scalar(times.offset(PART - 1).limit(1))
    is_part = () if until is None else (time <= until,)
    return affected_rows(session, delete(table).where(table.site == site, *is_part))


def _delete_day(session: Session, site: int) -> int:
    """The rows of one day, 0 when there is none; those of dimensions that no build knows any more go with the site."""
    days = select(VisitRollup.day).where(VisitRollup.site == site).order_by(VisitRollup.day)
    day = session.scalar(days.limit(1))
    if day is None:
        return 0
    count = sum(affected_rows(session, delete(table).where(*of_day(table, day, site))) for table in _BY_DAY)
    session.execute(delete(VisitRollup).where(VisitRollup.site == site, VisitRollup.day == day))
    return max(count, 1)


def _delete_site(session: Session, site: int) -> None:
    """And what an import has stored meanwhile: the next part that it stores finds no site."""
    session.execute(select(VisitSite).where(VisitSite.id == site).with_for_update())
    # Files that nobody lists are deleted within the hour, where they are.
    for table in (*_TABLES, VisitRollup, WarehouseFile):
        session.execute(delete(table).where(table.site == site))
    session.execute(delete(VisitSite).where(VisitSite.id == site))

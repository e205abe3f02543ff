"""Visits from the log of another site, as a day of that site is computed from them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.tables import ImportedVisit
from domain.visits.raw import day_rows
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import SHOP, DayWindow, microseconds
from domain.visits.raw.visit_context import VisitContext, signs_of
from domain.visits.visits import address_of

# Without it MariaDB's driver holds a whole day in memory.
_STREAMED = {"yield_per": 5_000}
_NO_VALUES = ("", "", "", "")
_table = ImportedVisit.__table__.c
_COLUMNS = (
    *(_table.event_id, _table.visited_at, _table.session_id, _table.url, _table.referrer, _table.visitor_class),
    _table.agent,
)


class RawVisits(Protocol):
    """The raw visits of one site."""

    def count_of(self, session: Session, window: DayWindow) -> int: ...

    def rows_of(self, session: Session, window: DayWindow) -> Iterator[DayRow]: ...

    def rows_of_sessions(self, session: Session, window: DayWindow, session_ids: Collection[str]) -> list[DayRow]: ...

    def urls_of(self, session: Session, window: DayWindow) -> Iterator[str]: ...

    def session_ids_of(self, session: Session, window: DayWindow) -> set[str]: ...

    def first_time_from(self, session: Session, since: datetime) -> datetime | None: ...

    def delete_some(self, session: Session, window: DayWindow, limit: int) -> int:
        """At most `limit` visits of the window; their number."""


def raw_visits(site: int) -> RawVisits:
    shop: RawVisits = day_rows
    return shop if site == SHOP else LogVisits(site)


@dataclass(frozen=True)
class LogVisits:
    """All of one site."""

    site: int

    def count_of(self, session: Session, window: DayWindow) -> int:
        query = select(func.count()).select_from(ImportedVisit).where(*self.within(window))
        return session.scalar(query) or 0

    def rows_of(self, session: Session, window: DayWindow) -> Iterator[DayRow]:
        return _day_rows(self._read(session, window))

    def rows_of_sessions(self, session: Session, window: DayWindow, session_ids: Collection[str]) -> list[DayRow]:
        """The rows of the window are read once: no index finds those of a session, as it would double the time of an
        import."""
        return [row for row in self.rows_of(session, window) if row.session_id in session_ids]

    def urls_of(self, session: Session, window: DayWindow) -> Iterator[str]:
        yield from session.scalars(select(_table.url).where(*self.within(window)), execution_options=_STREAMED)

    def session_ids_of(self, session: Session, window: DayWindow) -> set[str]:
        query = select(_table.session_id).where(*self.within(window), _table.session_id != "").distinct()
        return set(session.scalars(query))

    def first_time_from(self, session: Session, since: datetime) -> datetime | None:
        first: datetime | None = session.scalar(select(func.min(_table.visited_at)).where(*self._from(since)))
        return first

    def delete_some(self, session: Session, window: DayWindow, limit: int) -> int:
        """Up to the time of the first one that stays."""
        times = select(_table.visited_at).where(*self.within(window)).order_by(_table.visited_at)
        until = session.scalar(times.offset(limit).limit(1)) or window.until
        deleted = affected_rows(session, delete(ImportedVisit).where(*self.within(DayWindow(window.since, until))))
        # More than the limit in one microsecond.
        return deleted or affected_rows(
            session, delete(ImportedVisit).where(*self.within(DayWindow(until, _after(until))))
        )

    def _from(self, since: datetime) -> tuple[ColumnElement[bool], ...]:
        return _table.site == self.site, _table.visited_at >= since

    def _read(self, session: Session, window: DayWindow) -> Any:
        return session.execute(select(*_COLUMNS).where(*self.within(window)), execution_options=_STREAMED)

    def within(self, window: DayWindow) -> tuple[ColumnElement[bool], ...]:
        return *self._from(window.since), _table.visited_at < window.until


def _after(at: datetime) -> datetime:
    return at + timedelta(microseconds=1)


def _day_rows(rows: Any) -> Iterator[DayRow]:
    contexts: dict[tuple[str, str, str, str], VisitContext] = {}
    for event_id, at, session_id, url, *about in rows:
        address = address_of(url)
        # The campaign is a part of the address.
        key = (url if address.campaign else "", *about)
        if (context := contexts.get(key)) is None:
            context = contexts[key] = _context(address.campaign, *about)
        yield DayRow(event_id, microseconds(at), session_id, address.page, url, None, context)


def _context(campaign: Mapping[str, str], referrer: str, visitor_class: str, agent: str) -> VisitContext:
    signs = signs_of(visitor_class, 0, is_script=False)
    return VisitContext(_NO_VALUES, campaign, referrer, visitor_class, signs, agent)

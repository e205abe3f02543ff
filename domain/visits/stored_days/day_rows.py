"""The stored rows of a day, and whether they are those that were computed."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, case, select, update
from sqlalchemy.orm import Session

from domain.crawlers import crawl_storage
from domain.tables import VisitDay, VisitHour, VisitRollup
from domain.visits.raw.local_days import SHOP, hour_of, microseconds
from domain.visits.stored_days import commerce_rows, demand_rows, digests, served_rows, visitor_rows
from domain.visits.stored_days.digests import FigureRow, Row, digest_of
from domain.visits.stored_days.keys import NAMES, DayKey, HourKey

DIMENSIONS = (
    *("all", "channel", "source", "campaign", "landing", "referrer", "engine", "assistant", "coupon", "special"),
    *("student", "partner", "device", "agent", "page", "path", "product", "area"),
)
StoredRollup = VisitRollup


def is_day(day: date, site: int = SHOP) -> tuple[Any, Any]:
    return VisitRollup.site == site, VisitRollup.day == day


def erased_at(at: datetime) -> Any:
    """What a day that is changed by an erasure has as its time: the day may have been computed after that began."""
    return case((VisitRollup.built_at > at, VisitRollup.built_at), else_=at)


def rollup_of(session: Session, day: date, site: int = SHOP) -> StoredRollup | None:
    return session.scalar(select(VisitRollup).where(*is_day(day, site)))


def locked_rollup(session: Session, day: date, site: int = SHOP) -> StoredRollup:
    """Always before rows of the day, so that nobody waits for another who waits for them."""
    return session.scalars(_locked(day, site)).one()


def find_locked_rollup(session: Session, day: date, site: int) -> StoredRollup | None:
    """None when the site is removed meanwhile."""
    return session.scalars(_locked(day, site)).one_or_none()


def _locked(day: date, site: int) -> Select[StoredRollup]:
    query = select(VisitRollup).where(*is_day(day, site)).with_for_update()
    return query.execution_options(populate_existing=True)


def lock_rollups(session: Session, site: int = SHOP) -> None:
    """All at once, by who changes rows of many days: a snapshot from before is no longer what the days are, so rows of
    days are then read with FOR UPDATE."""
    query = select(VisitRollup.day).where(VisitRollup.site == site).order_by(VisitRollup.day)
    session.scalars(query.with_for_update()).all()


def of_day(table: type[VisitDay | VisitHour], day: date, site: int) -> tuple[Any, ...]:
    """The dimensions are named, as the key begins with them."""
    return table.site == site, table.dimension.in_(DIMENSIONS), table.day == day


def stored_days(session: Session, *conditions: Any, for_update: bool = False) -> list[FigureRow]:
    query = select(*_columns(VisitDay, "audience", "key")).where(*conditions)
    rows = session.execute(query.with_for_update() if for_update else query)
    return [(DayKey(*row[:3]), list(row[3:])) for row in rows]


def stored_hours(session: Session, *conditions: Any) -> list[FigureRow]:
    rows = session.execute(select(*_columns(VisitHour, "hour", "audience", "key")).where(*conditions))
    return [(HourKey(row[0], hour_of(microseconds(row[1])), row[2], row[3]), list(row[4:])) for row in rows]


def _columns(table: type[VisitDay | VisitHour], *keys: str) -> list[Any]:
    return [getattr(table, name) for name in ("dimension", *keys, *NAMES)]


def stored_digest(session: Session, day: date, site: int = SHOP) -> str:
    """The digest of the rows of a day as they are now."""
    days, hours = (
        stored_days(session, *of_day(VisitDay, day, site)),
        stored_hours(session, *of_day(VisitHour, day, site)),
    )
    if site != SHOP:
        return digest_of(days, hours)
    crawls = digests.without_figures(crawl_storage.stored_days(session, day))
    of_shop = (rows.stored_of_day(session, day) for rows in (visitor_rows, commerce_rows, demand_rows))
    served = digests.without_figures(served_rows.stored_of_day(session, day))
    return digest_of(days, hours, *of_shop, crawls, served)


def is_intact(session: Session, row: StoredRollup) -> bool:
    """Whether the day's rows are those that were computed, but for what erasure and retention have changed rightly."""
    return row.digest == stored_digest(session, row.day, row.site)


def change_digest(session: Session, row: StoredRollup, removed: Sequence[Row], added: Iterable[Row] = ()) -> None:
    """In the transaction that changes the rows; `row` is locked. A day whose digest the build before has removed gets
    one when it is computed again."""
    if not row.digest:
        return
    digest = digests.changed(row.digest, removed, added)
    session.execute(update(VisitRollup).where(*is_day(row.day, row.site)).values(digest=digest))
    session.refresh(row, ["digest"])

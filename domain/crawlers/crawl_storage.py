"""Writes what a day has of crawlers. Rows of `crawl_days` are those of the day; what crawlers know of pages is of all
days together, by least and greatest times, so that days may be computed again and in any order."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple, cast

from sqlalchemy import Table, bindparam, delete, func, insert, select, tuple_, update
from sqlalchemy.orm import Session

from domain.crawlers import program_links
from domain.crawlers.crawl_tally import CrawlDayRow, CrawlRows, PageKey, PageReads
from domain.database.database import affected_rows, insert_ignoring
from domain.database.parts import parts_of
from domain.tables import ChangeFetch, CrawlDay, CrawlPage, PageChange

_CHUNK = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class FirstRead(NamedTuple):
    """A row of `change_fetches`. `first_at`: microseconds since 1970."""

    change_id: int
    crawler: str
    verification: str
    first_at: int


def _time(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def stored_days(session: Session, day: date) -> list[CrawlDayRow]:
    """For the digest of the day."""
    columns = [CrawlDay.__table__.c[name] for name in CrawlDayRow._fields]
    rows = session.execute(select(*columns).where(CrawlDay.day == day))
    return [CrawlDayRow(*row[:4], *map(int, row[4:])) for row in rows]


def first_reads(session: Session, pages: Iterable[PageReads], since: datetime, until: datetime) -> list[FirstRead]:
    """Which changes of pages a day's fetches were the first to read, as far as these fetches say. `since` to `until`:
    the day."""
    by_path: defaultdict[str, list[PageReads]] = defaultdict(list)
    for page in pages:
        by_path[page.key.path].append(page)
    found: list[FirstRead] = []
    for paths in parts_of(sorted(by_path), _CHUNK):
        query = select(PageChange.id, PageChange.path, PageChange.changed_at)
        changes = session.execute(query.where(PageChange.path.in_(paths), PageChange.changed_at < until)).all()
        known = _read_before(session, [row.id for row in changes], since)
        for change_id, path, changed_at in changes:
            for page in by_path[path]:
                key = FirstRead(change_id, page.key.crawler, page.key.verification, 0)
                place = bisect_left(page.reads, _micros(changed_at))
                if key not in known and place < len(page.reads):
                    found.append(key._replace(first_at=page.reads[place]))
    return sorted(found)


def _read_before(session: Session, change_ids: Sequence[int], since: datetime) -> set[FirstRead]:
    """Which of the changes an earlier day has read, with the time 0."""
    known: set[FirstRead] = set()
    for ids in parts_of(change_ids, _CHUNK):
        query = select(ChangeFetch.change_id, ChangeFetch.crawler, ChangeFetch.verification)
        rows = session.execute(query.where(ChangeFetch.change_id.in_(ids), ChangeFetch.first_at < since))
        known |= {FirstRead(*row, 0) for row in rows}
    return known


def write(session: Session, day: date, crawls: CrawlRows, reads: Sequence[FirstRead]) -> None:
    """In the transaction that stores the day."""
    if set(stored_days(session, day)) != set(crawls.days):
        session.execute(delete(CrawlDay).where(CrawlDay.day == day), execution_options={"synchronize_session": False})
        rows = [{"day": day, **row._asdict()} for row in crawls.days]
        for part in parts_of(rows, _CHUNK):
            session.execute(insert(CrawlDay), part)
    for pages in parts_of(crawls.pages, _CHUNK):
        _write_pages(session, pages)
    for firsts in parts_of(reads, _CHUNK):
        _write_first_reads(session, firsts)


_PAGES = cast("Table", CrawlPage.__table__)
_IS_PAGE = tuple(_PAGES.c[name] == bindparam(f"of_{name}") for name in PageKey._fields)
# What a page of another day changes: only where that day has the earlier or the later time.
_EARLIER = update(_PAGES).where(*_IS_PAGE, _PAGES.c.first_ok_at > bindparam("new_first_ok_at"))
_EARLIER = _EARLIER.values(first_ok_at=bindparam("new_first_ok_at"))
_SERVED = ("last_ok_at", "title", "price_minor", "currency", "digest")
_LATER = update(_PAGES).where(*_IS_PAGE, _PAGES.c.last_ok_at <= bindparam("new_last_ok_at"))
_LATER = _LATER.values({name: bindparam(f"new_{name}") for name in _SERVED})
_LAST = update(_PAGES).where(*_IS_PAGE, _PAGES.c.last_at <= bindparam("new_last_at"))
_LAST = _LAST.values(last_at=bindparam("new_last_at"), last_status=bindparam("new_last_status"))


def _write_pages(session: Session, pages: Sequence[PageReads]) -> None:
    """Nearly all rows of today are there already, as they are."""
    columns = [*_PAGES.c[:3], *(_PAGES.c[name] for name in _values(pages[0]))]
    keys = [tuple(page.key) for page in pages]
    stored = {
        tuple(row[:3]): tuple(row[3:])
        for row in session.execute(select(*columns).where(tuple_(*_PAGES.c[:3]).in_(keys)))
    }
    new = [page for page in pages if tuple(page.key) not in stored]
    insert_ignoring(session, CrawlPage, [{**page.key._asdict(), **_values(page)} for page in new])
    known = [page for page in pages if stored.get(tuple(page.key)) != tuple(_values(page).values())]
    values = [
        {f"of_{name}": value for name, value in page.key._asdict().items()}
        | {f"new_{name}": value for name, value in _values(page).items()}
        for page in known
    ]
    if values:
        for statement in (_EARLIER, _LATER, _LAST):
            session.connection().execute(statement, values)


def _values(page: PageReads) -> dict[str, Any]:
    served = page.served
    return {
        "first_ok_at": _time(page.reads[0]),
        "last_ok_at": _time(page.reads[-1]),
        "last_at": _time(page.last_at),
        "last_status": page.last_status,
        "title": "" if served is None else served.title,
        "price_minor": None if served is None else served.price_minor,
        "currency": "" if served is None else served.currency,
        "digest": "" if served is None else served.digest,
    }


_FETCHES = cast("Table", ChangeFetch.__table__)
_FIRST = (
    update(_FETCHES)
    .where(
        _FETCHES.c.change_id == bindparam("of_change"),
        _FETCHES.c.crawler == bindparam("of_crawler"),
        _FETCHES.c.verification == bindparam("of_verification"),
        _FETCHES.c.first_at > bindparam("at"),
    )
    .values(first_at=bindparam("at"))
)


def _write_first_reads(session: Session, reads: Sequence[FirstRead]) -> None:
    insert_ignoring(session, ChangeFetch, [{**row._asdict(), "first_at": _time(row.first_at)} for row in reads])
    names = ("of_change", "of_crawler", "of_verification", "at")
    values = [dict(zip(names, (*row[:3], _time(row.first_at)), strict=True)) for row in reads]
    session.connection().execute(_FIRST, values)


def delete_old(session: Session, before: datetime, limit: int) -> int:
    """Delete changes from before a time with who has read them, pages that no crawler has asked for since, and which
    cart links programs made; the number of rows, at most `limit` of each."""
    ids = list(session.scalars(select(PageChange.id).where(PageChange.changed_at < before).limit(limit)))
    session.execute(delete(ChangeFetch).where(ChangeFetch.change_id.in_(ids)), execution_options=_UNSYNCHRONISED)
    count = affected_rows(session, delete(PageChange).where(PageChange.id.in_(ids))) if ids else 0
    keys = [tuple(row) for row in session.execute(select(*_PAGES.c[:3]).where(_PAGES.c.last_at < before).limit(limit))]
    for part in parts_of(keys, _CHUNK):
        count += affected_rows(session, delete(CrawlPage).where(tuple_(*_PAGES.c[:3]).in_(part)))
    return count + program_links.delete_old(session, before, limit)


def count_old(session: Session, before: datetime) -> int:
    """How many rows `delete_old` would delete in all."""
    old = (
        select(func.count()).select_from(PageChange).where(PageChange.changed_at < before),
        select(func.count()).select_from(CrawlPage).where(CrawlPage.last_at < before),
    )
    return sum(session.scalar(query) or 0 for query in old) + program_links.count_old(session, before)


_UNSYNCHRONISED: Mapping[str, Any] = {"synchronize_session": False}

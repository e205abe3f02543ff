"""R2: what computing a day costs for each of its visits, beside reading the same rows and counting by session."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from bench.comparison import ResultLine
from domain.database.database import Database, database_url, insert_ignoring
from domain.migrations import runner
from domain.reports.warehouse import Warehouse
from domain.tables import Category, Product, SearchQuery, Visit
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.visits import campaign_of, page_of

VISITS = 200_000
COURSES, SEARCHED = 2_000, 500
ROUNDS = 3
LIMIT_US = 15.0
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
_ORIGINS = ("", "", "", "?utm_source=news&utm_medium=email&utm_campaign=spring", "?utm_source=search&utm_medium=cpc")
_REFERRERS = ("", "https://www.google.com/", "https://chamber.example/members")
_AGENTS = ("Chrome", "Chrome", "Safari", "Edge", "Firefox", "Mobile Safari", "Chrome Mobile")


def r2() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        database = Database(database_url(None, Path(name)), deadline_s=60)
        runner.upgrade(database.engine)
        _fill(database)
        files = Warehouse(Path(name) / "analytics", 256)
        days = DayBuilder(database, DayRules(), lambda: MIDNIGHT + timedelta(days=2), files=files)
        own, read, stored = [], [], []
        for _ in range(ROUNDS):
            read.append(_cpu_us(lambda: _count_sessions(database)))
            own.append(_cpu_us(lambda: days.compute(MIDNIGHT.date())))
            stored.append(_cpu_us(lambda: days.build(MIDNIGHT.date())))
        database.engine.dispose()
    return [_line("compute a day", own, read), _line("compute and store a day, with its files", stored, read)]


def _line(what: str, own: list[float], reference: list[float]) -> ResultLine:
    figure, base = median(own), median(reference)
    return ResultLine(
        "R2",
        f"{what} of {VISITS:,} visits, CPU a visit",
        f"<= {LIMIT_US:.0f} us",
        f"{figure:.1f} us",
        f"{base:.1f} us reading the rows",
        None,
        figure <= LIMIT_US,
    )


def _cpu_us(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e6 / VISITS


def _count_sessions(database: Database) -> None:
    with database.read_session() as session:
        Counter(row.session_id for row in session.execute(select(Visit.__table__)))


def _fill(database: Database) -> None:
    with database.write_session() as session:
        _add_courses(session)
    rows: list[dict[str, Any]] = []
    for row in rows_of_day(Random(20260302), MIDNIGHT, VISITS):
        rows.append(row)
        if len(rows) == 5_000:
            _insert(database, rows)
    _insert(database, rows)


def _insert(database: Database, rows: list[dict[str, Any]]) -> None:
    with database.write_session() as session:
        insert_ignoring(session, Visit, rows)
        searched = [row for row in rows if row["page"] == "search"]
        log = [{"searched_at": row["visited_at"], "query": row["url"].partition("=")[2]} for row in searched]
        insert_ignoring(session, SearchQuery, [{**row, "results": 3, "answer": "exact"} for row in log])
    rows.clear()


def _add_courses(session: Session) -> None:
    category = Category(slug="tax", name="Tax", description="About tax.", position=0)
    session.add(category)
    session.flush()
    shared = {"kind": "course", "name": "A course", "category_id": category.id, "list_price": Decimal(100)}
    shared |= {"status": "published", "published_at": MIDNIGHT, "updated_at": MIDNIGHT}
    session.execute(insert(Product), [{**shared, "slug": f"course-{number}"} for number in range(COURSES)])


def rows_of_day(chance: Random, midnight: datetime, visits: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Sessions of one to eight visits, of 2,000 courses, some thirty other pages and 500 searches, over the whole
    day. `first`: the number of visits of other days."""
    number = 0
    while number < visits:
        at = midnight + timedelta(seconds=chance.randrange(82_800))
        shared = {"session_id": str(UUID(int=chance.getrandbits(128), version=4)), "agent": chance.choice(_AGENTS)}
        referrer, query = chance.choice(_REFERRERS), chance.choice(_ORIGINS)
        for _ in range(min(chance.choice((1, 1, 2, 3, 5, 8)), visits - number)):
            number += 1
            url = _url(chance, query)
            yield {
                **{"event_id": str(UUID(int=first + number)), "visited_at": at, "url": url, "page": page_of(url)},
                **{"campaign": campaign_of(url), "referrer": referrer, "visitor_class": "human", "source": "browser"},
                **{"coupon_id": chance.choice(("", "", "", "SPRING")), **shared},
            }
            at += timedelta(seconds=chance.randrange(2, 300))
            referrer = query = ""


def _url(chance: Random, query: str) -> str:
    place = chance.random()
    if place < 0.5:
        course = f"/course-details?course=course-{int(COURSES * chance.random() ** 2)}"
        return f"{course}&{query[1:]}" if query else course
    if place < 0.6:
        return f"/shop?page={chance.randrange(30)}"
    if place < 0.68:
        return f"/search?q=words-{int(SEARCHED * chance.random() ** 2)}"
    # One visit in a thousand is to an address without a page.
    return "/no-such-page" if place > 0.999 else chance.choice(("/", "/shop", "/about", "/cart")) + query

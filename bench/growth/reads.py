"""What the pages of a catalogue read, as the product's own functions, and how their cost grows.

Each is called in this process on two databases in turn. `plans` says which of its statements look at every row of a
large table.
"""

import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy.orm import Session

from bench.comparison import ResultLine
from bench.growth.shops import SMALL
from domain.catalogue import details, facet_cells, instructors, listing, product_feed, sitemap
from domain.catalogue.listing import PAGE_SIZE, ShopQuery
from domain.database.database import Database, database_url
from domain.search import search, suggestions
from domain.search.search import RELEVANCE

Read = Callable[[Session], object]
# Tables that grow; a scan of another one is no matter.
LARGE = frozenset(
    str.split(
        "products courses shop_items search_snippets search_postings price_changes orders order_lines payments "
        "documents visits feed_products"
    )
)
_SCAN = re.compile(r"SCAN (\w+)")
_SLOW_S = 1.0


@dataclass(frozen=True)
class Cost:
    """CPU ms of a call: `first` with nothing of the catalogue cached, `again` the median of those after it."""

    first: float
    again: float


def catalogue_reads(last_page: int) -> dict[str, Read]:
    """By name. `last_page`: of the whole catalogue."""
    at = datetime.now(UTC)

    def shop(**chosen: Any) -> Read:
        return lambda session: listing.card_page(session, ShopQuery(**chosen), at)

    def found(text: str, **chosen: Any) -> Read:
        return lambda session: search.search(session, text, ShopQuery(**{"sort": RELEVANCE, **chosen}), at)

    return {
        "/shop, first page": shop(),
        "/shop, middle page": shop(page=max(1, last_page // 2)),
        "/shop, last page": shop(page=last_page),
        "/shop, one category": shop(category=("growth-0",)),
        "/shop, a level": shop(level=("beginner",)),
        "/shop, a language, a price and a duration": shop(
            language=("ja",), price=("over-300",), duration=("under-2h",)
        ),
        "/shop, newest": shop(sort="newest"),
        "/shop, by rating": shop(sort="rating"),
        "/shop, by price": shop(sort="price-low"),
        "/shop, by price downwards": shop(sort="price-high"),
        "/shop, one category by price": shop(category=("growth-0",), sort="price-low"),
        "counts of filters": lambda session: facet_cells.facet_counts(session, ShopQuery(), at),
        "counts of filters, with a level": lambda session: facet_cells.facet_counts(
            session, ShopQuery(level=("beginner",)), at
        ),
        "categories with their numbers": listing.categories,
        "next change of a price": lambda session: details.next_price_change(session, at),
        "home page": details.home_data,
        "numbers of the shop": details.shop_stats,
        "related courses": lambda session: details.most_popular(session, 1, "course"),
        "instructors in the sitemap": instructors.last_changes,
        "sitemap index": lambda session: sitemap.summary(session, at),
        "search, a fixed number of hits": found("zebrafish"),
        "search, a frequent word": found("python"),
        "search, two frequent words": found("python budget"),
        "search, a misspelling": found("negotation"),
        "search, a word by price": found("python", sort="price-low"),
        "suggestions": lambda session: suggestions.suggest(session, "python bud"),
        "part of the product feed": lambda session: product_feed.rows(session, -1),
        "changes of the product feed": lambda session: product_feed.changed_after(session, 0, 10**9),
    }


def cost(session: Session, read: Read, rounds: int = 5) -> Cost:
    """A call that takes a second is not repeated."""
    times = []
    for _ in range(rounds + 1):
        began = time.process_time()
        read(session)
        times.append((time.process_time() - began) * 1000)
        session.expunge_all()
        if times[0] > _SLOW_S * 1000:
            break
    return Cost(times[0], median(times[1:] or times))


@contextmanager
def opened(folder: Path) -> Iterator[Session]:
    database = Database(database_url(None, folder), deadline_s=600, busy_ms=60_000)
    with database.read_session() as session:
        yield session
    database.engine.dispose()


def plans(session: Session, read: Read) -> list[str]:
    """What SQLite says of the statements that scan a large table, or sort."""
    driver: Any = session.connection().connection.driver_connection
    statements: list[str] = []
    driver.set_trace_callback(statements.append)
    try:
        read(session)
    finally:
        driver.set_trace_callback(None)
    found: list[str] = []
    for statement in dict.fromkeys(statements):
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            found += _scans(driver, statement)
    return list(dict.fromkeys(found))


def _scans(driver: sqlite3.Connection, statement: str) -> Iterator[str]:
    for *_, detail in driver.execute(f"EXPLAIN QUERY PLAN {statement}"):
        table = _SCAN.match(detail)
        if (table and table[1] in LARGE) or "TEMP B-TREE" in detail:
            yield detail


def read_lines(small: Path, large: Path, courses: int) -> list[ResultLine]:
    """The plans of statements that scan or sort go to standard error."""
    with opened(small) as few, opened(large) as many:
        reads_of_few, reads_of_many = catalogue_reads(SMALL // PAGE_SIZE), catalogue_reads(courses // PAGE_SIZE)
        return [_line(name, (few, reads_of_few[name]), (many, read)) for name, read in reads_of_many.items()]


def _line(name: str, few: tuple[Session, Read], many: tuple[Session, Read]) -> ResultLine:
    base, figure = cost(*few), cost(*many)
    for plan in plans(*many):
        print(f"{name}: {plan}", file=sys.stderr)
    texts = (f"{value.again:.2f} ms, at first {value.first:.1f}" for value in (figure, base))
    ratio = figure.again / base.again
    return ResultLine("growth", name, "", next(texts), next(texts), ratio, None)

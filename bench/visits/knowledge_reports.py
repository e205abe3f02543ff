"""R1 of the reports on searches, gaps, and what crawlers know: what one answer costs, of 1,000,000 stored queries in
400 days, and of 10,000 products (with --full 100,000) that two crawlers have read."""

import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from bench.comparison import ResultLine
from bench.processes import freeze_startup_objects
from bench.staff.many_rows import CHOSEN, FULL
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.reports.crawl_reports.page_report import CRAWL_PAGES, answer_pages
from domain.reports.crawl_reports.reading_report import CRAWL_READINGS, answer_readings
from domain.reports.searches import gap_report, search_report
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.parameters import ReportQuery, read_parameters
from domain.tables import Category, CrawlPage, PageChange, Product, SearchDay, VisitRollup
from domain.visits.raw.local_days import DayRules

DAYS, QUERIES_A_DAY, DIFFERENT_QUERIES = 400, 2_500, 6_000
USUAL_PRODUCTS, FULL_PRODUCTS = 10_000, 100_000
CRAWLERS = ("Googlebot", "bingbot")
ROUNDS = 5
LIMIT_MS = 200.0
FIRST = date(2026, 1, 1)
TODAY = FIRST + timedelta(days=DAYS)
NOW = datetime.combine(TODAY, datetime.min.time(), UTC) + timedelta(hours=12)
_PART = 5_000
Answer = Callable[[Session, ReportQuery, DayRules, datetime], ReportAnswer]


def r1_knowledge() -> list[ResultLine]:
    products = FULL_PRODUCTS if CHOSEN.sizes is FULL else USUAL_PRODUCTS
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        database = Database(database_url(None, Path(name)), deadline_s=60)
        runner.upgrade(database.engine)
        chance = Random(20260301)
        for day in (FIRST + timedelta(days=number) for number in range(DAYS)):
            with database.write_session() as session:
                session.add(_rollup(day))
                session.execute(insert(SearchDay), list(_queries(day, chance)))
        _add_products(database, products)
        freeze_startup_objects()
        of_searches = f"of {DAYS * QUERIES_A_DAY:,} stored queries in {DAYS} days"
        of_pages = f"of {products:,} products"
        days = {"from": (TODAY - timedelta(days=90)).isoformat(), "to": (TODAY - timedelta(days=1)).isoformat()}
        compared = {**days, "compare": "previous"}
        lines = [
            _line(database, search_report.answer, search_report.SEARCHES, f"90 days {of_searches}", days),
            _line(database, gap_report.answer, gap_report.GAP_REPORT, f"90 days {of_searches}", days),
            _line(database, gap_report.answer, gap_report.GAP_REPORT, "the same, compared with 90 days", compared),
            _line(database, answer_pages, CRAWL_PAGES, of_pages, {}),
            _line(database, answer_readings, CRAWL_READINGS, of_pages, {}),
        ]
        database.engine.dispose()
    return lines


def _line(
    database: Database, answer: Answer, report: ReportDescription, what: str, values: dict[str, str]
) -> ResultLine:
    query, errors = read_parameters(report, {"compare": "none", **values}, TODAY)
    if errors:
        raise AssertionError(errors)
    times = []
    for _ in range(ROUNDS):
        with database.read_session() as session:
            start = time.process_time()
            answer(session, query, DayRules(), NOW)
            times.append((time.process_time() - start) * 1e3)
    figure = median(times)
    goal = f"<= {LIMIT_MS:.0f} ms"
    return ResultLine("R1", f"CPU of {report.name}, {what}", goal, f"{figure:.0f} ms", "", None, figure <= LIMIT_MS)


def _rollup(day: date) -> VisitRollup:
    about = {"visits": 1, "digest": "0", "rules_version": "", "zone": "", "duration_ms": 0, "lease_token": ""}
    return VisitRollup(site=0, day=day, built_at=NOW, **about)


def _queries(day: date, chance: Random) -> Iterator[dict[str, Any]]:
    """Some queries are sent every day, most rarely; one in twelve finds nothing."""
    numbers: set[int] = set()
    while len(numbers) < QUERIES_A_DAY:
        numbers.add(int(DIFFERENT_QUERIES * chance.random() ** 2))
    for number in sorted(numbers):
        searches = 1 + int(8 * chance.random() ** 3)
        is_empty = number % 12 == 0
        in_sessions = chance.randrange(min(searches, 3) + 1)
        yield {
            **{"day": day, "query": f"words about {number}", "searches": searches, "in_sessions": in_sessions},
            **{"no_results": searches if is_empty else 0, "followed": 0 if is_empty else in_sessions},
            **{"abandoned": 0, "last_results": 0 if is_empty else 5},
        }


def _add_products(database: Database, count: int) -> None:
    with database.write_session() as session:
        category = Category(slug="tax", name="Tax", description="About tax.", position=0)
        session.add(category)
        session.flush()
        category_id = category.id
    for start in range(0, count, _PART):
        numbers = range(start, min(start + _PART, count))
        with database.write_session() as session:
            session.execute(insert(Product), [_product(number, category_id) for number in numbers])
            session.execute(insert(PageChange), [row for number in numbers for row in _changes(number)])
            # One page in ten was never read.
            read = [number for number in numbers if number % 10]
            session.execute(insert(CrawlPage), [_reading(name, number) for name in CRAWLERS for number in read])


def _path(number: int) -> str:
    return f"/course-details?course=course-{number}"


def _product(number: int, category_id: int) -> dict[str, Any]:
    about = {"kind": "course", "slug": f"course-{number}", "name": f"Course {number}", "list_price": Decimal(100)}
    times = {"published_at": NOW - timedelta(days=100), "updated_at": NOW}
    return {**about, **times, "category_id": category_id, "status": "published"}


def _changes(number: int) -> Iterator[dict[str, Any]]:
    for kind, days in (("publish", 100), ("change", number % 60)):
        yield {"path": _path(number), "kind": kind, "changed_at": NOW - timedelta(days=days)}


def _reading(crawler: str, number: int) -> dict[str, Any]:
    return {
        **{"crawler": crawler, "verification": "verified", "path": _path(number), "last_at": NOW, "last_status": 200},
        **{"first_ok_at": NOW - timedelta(days=90), "last_ok_at": NOW - timedelta(days=number % 30)},
        **{"title": f"Course {number}", "price_minor": 10_000, "currency": "USD", "digest": "0" * 16},
    }

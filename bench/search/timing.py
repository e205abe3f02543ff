"""How fast search answers: `python -m bench.search [--sizes 1000,100000] [--keep FOLDER] [--database mysql://…]`.

Fills a database with generated courses, in which some words occur in the same number of courses whatever the size of
the catalogue. For a mix of queries it prints p50 and p99 (warm, all SQL of the page), the postings read for each word,
and goal P9: the same number of hits costs at most twice as much in the larger catalogue.
"""

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bench.comparison import ResultLine, compare
from bench.search import answers
from bench.search.answers import CheckedAnswers
from bench.search.courses import AT, fill
from domain.catalogue.listing import ShopQuery
from domain.database.database import Database, database_url
from domain.search import search as search_search
from domain.search import suggestions as search_suggestions
from domain.search.postings import MAX_POSTINGS
from domain.search.search import RELEVANCE
from domain.tables import SearchPosting, SearchWord

ROUNDS = 60
# Kinds of query with equally many hits whatever the size.
EQUAL = ("fixed hits", "fixed and frequent")
# Kind of query, text, and filters.
MIX: tuple[tuple[str, str, ShopQuery], ...] = (
    ("frequent word", "python", ShopQuery()),
    ("two frequent words", "python budget", ShopQuery()),
    ("three frequent words", "python budget forecast", ShopQuery()),
    ("subject and word", "tax audit", ShopQuery()),
    ("word begun", "negot", ShopQuery()),
    ("short beginning", "con", ShopQuery()),
    ("fixed hits", "zebrafish", ShopQuery()),
    ("fixed and frequent", "zebrafish python", ShopQuery()),
    ("slip", "negotation", ShopQuery()),
    ("two slips", "compliannc", ShopQuery()),
    ("word nobody knows", "qwrtzplk", ShopQuery()),
    ("one unknown of two", "qwrtzplk python", ShopQuery()),
    ("person", "instructor 17", ShopQuery()),
    ("filtered", "python", ShopQuery(level=("beginner",), price=("under-50",))),
    ("by price", "python", ShopQuery(sort="price-low")),
    ("page 9", "excel", ShopQuery(page=9)),
    ("suggest: one letter", "p", ShopQuery()),
    ("suggest: beginning", "nego", ShopQuery()),
    ("suggest: two words", "python bud", ShopQuery()),
)


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


@dataclass(frozen=True)
class Timings:
    """Milliseconds of one kind of query: wall-clock time, and CPU time of this process."""

    times: list[float]
    worked: list[float]
    hits: int = 0
    most_read: int = 0

    @property
    def p50(self) -> float:
        return statistics.median(self.times)

    @property
    def p99(self) -> float:
        return p99(self.times)

    @property
    def cpu(self) -> float:
        return statistics.median(self.worked)

    @property
    def cpu_p99(self) -> float:
        return p99(self.worked)


@dataclass(frozen=True)
class SizeResult:
    """The results of a catalogue of one size, by kind of query and for all searches and all suggestions."""

    size: int
    kinds: dict[str, Timings]
    table: CheckedAnswers

    @property
    def searches(self) -> Timings:
        return _merge([timings for what, timings in self.kinds.items() if not what.startswith("suggest")])

    @property
    def suggestions(self) -> Timings:
        return _merge([timings for what, timings in self.kinds.items() if what.startswith("suggest")])


def _merge(kinds: list[Timings]) -> Timings:
    times = [time for timings in kinds for time in timings.times]
    worked = [time for timings in kinds for time in timings.worked]
    return Timings(times, worked, most_read=max(timings.most_read for timings in kinds))


def measure(db: Database, size: int) -> SizeResult:
    # As the host does at its start (host/web_process.py).
    gc.collect()
    gc.freeze()
    kinds = {what: _timed(db, what, text, shop) for what, text, shop in MIX}
    return SizeResult(size, kinds, answers.check_all(db))


def _timed(db: Database, what: str, text: str, shop: ShopQuery) -> Timings:
    ask = _query_function(what, text, shop)
    times, worked = [], []
    with db.read_session() as session:
        hits, most_read = ask(session)
    for _ in range(ROUNDS):
        began, cpu = time.perf_counter(), time.process_time()
        with db.read_session() as session:
            ask(session)
        times.append((time.perf_counter() - began) * 1000)
        worked.append((time.process_time() - cpu) * 1000)
    return Timings(times, worked, hits, most_read)


def _query_function(what: str, text: str, shop: ShopQuery) -> Callable[[Session], tuple[int, int]]:
    def suggest(session: Session) -> tuple[int, int]:
        result = search_suggestions.suggest(session, text)
        return len(result), 0

    def ask(session: Session) -> tuple[int, int]:
        sort = RELEVANCE if shop.sort == "popular" else shop.sort
        query = ShopQuery(level=shop.level, price=shop.price, sort=sort, page=shop.page)
        result = search_search.search(session, text, query, AT)
        return result.everything, max(result.read.values(), default=0)

    return suggest if what.startswith("suggest") else ask


def lines() -> list[ResultLine]:
    """The lines of `scripts/bench search`: the goals of search, and P9."""
    with tempfile.TemporaryDirectory(prefix="search-bench-") as folder:
        small, large = (_measure_size(size, Path(folder), None) for size in (1_000, 100_000))
        pages = answers.page_times(Path(folder) / str(large.size))
    courses = f"{large.size:,} courses"
    result = [
        _limit_line("search", f"search, p99 of a mix at {courses}", large.searches.p99, 50),
        _limit_line("search", f"suggestions, p99 of a mix at {courses}", large.suggestions.p99, 20),
        _limit_line("search", f"search, p99 of the table at {courses}", p99(large.table.times), 50),
        _limit_line("search", f"/search as a whole page, p99 of the table at {courses}", p99(pages), 50),
        _answers_line(large.table),
    ]
    for what in EQUAL:
        figure, base = large.kinds[what].cpu, small.kinds[what].cpu
        about = f"search, {what} at {courses}, CPU"
        result.append(compare("P9", about, 2, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms at {small.size:,}")))
    read = large.searches.most_read
    goal = f"<= {MAX_POSTINGS:,}"
    result.append(ResultLine("P9", "postings read for one word", goal, f"{read:,}", "", None, read <= MAX_POSTINGS))
    return result


def _answers_line(table: CheckedAnswers) -> ResultLine:
    right = table.cases - len(table.wrong)
    figure, goal = f"{right} right", f"all {table.cases}"
    return ResultLine("search", "answers of the table at 100,000 courses", goal, figure, "", None, not table.wrong)


def _limit_line(goal: str, what: str, figure: float, limit: float) -> ResultLine:
    return ResultLine(goal, what, f"<= {limit:g} ms", f"{figure:.1f} ms", "", None, figure <= limit)


def _measure_size(size: int, folder: Path, url: str | None) -> SizeResult:
    """Fills the database unless it is filled already, then measures and reports."""
    size_folder = folder / str(size)
    size_folder.mkdir(parents=True, exist_ok=True)
    db = Database(database_url(f"{url}{size}" if url else None, size_folder), deadline_s=600, busy_ms=60_000)
    seconds = fill(db, size)
    result = measure(db, size)
    report(result, seconds, db)
    db.engine.dispose()
    return result


def report(measured: SizeResult, seconds: float, db: Database) -> None:
    with db.read_session() as session:
        words = session.scalar(select(func.count()).select_from(SearchWord))
        postings = session.scalar(select(func.count()).select_from(SearchPosting))
    indexing_text = f", indexed in {seconds:.0f} s ({measured.size / seconds:.0f}/s)" if seconds else ""
    log(f"\n{measured.size} courses{indexing_text}; {words} words, {postings} postings")
    for what, timings in measured.kinds.items():
        log(f"  {what:22} {_figures(timings)}  hits {timings.hits:5}  most read {timings.most_read}")
    for what, timings, goal in (("all searches", measured.searches, 50), ("all suggestions", measured.suggestions, 20)):
        log(f"  {what:22} {_figures(timings)}  goal {goal}")

    table = measured.table
    log(f"  table: {table.cases - len(table.wrong)} of {table.cases} right, p99 {p99(table.times):.1f} ms")
    for wrong in table.wrong:
        log(f"    {wrong}")


def _figures(timings: Timings) -> str:
    return f"p50 {timings.p50:6.1f}  p99 {timings.p99:6.1f}  cpu p50 {timings.cpu:5.1f}  p99 {timings.cpu_p99:5.1f} ms"


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(args: argparse.Namespace) -> int:
    folder = Path(args.keep or tempfile.mkdtemp(prefix="search-bench-"))
    results = [_measure_size(int(size), folder, args.database) for size in args.sizes.split(",")]
    small, large = results[0], results[-1]
    for what in EQUAL if len(results) > 1 else ():
        ratio = large.kinds[what].cpu / small.kinds[what].cpu
        log(f"P9 {what}: {large.kinds[what].hits} and {small.kinds[what].hits} hits, CPU {ratio:.2f} x (goal 2)")
    if args.database is None:
        log(f"/search as a whole page: p99 {p99(answers.page_times(folder / str(large.size))):.1f} ms")
    return 0

"""How fast search answers: `python -m bench.search [--sizes 1000,100000] [--keep FOLDER] [--database mysql://…]`.

Fills a database with invented courses, some of whose words stand in the same number of courses whatever the size of the
catalogue, and prints for a mix of queries p50 and p99 (warm, all that the page asks the records for), the postings read
for each word, and goal P9: equally many hits cost at most twice as much in the larger catalogue.
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

from bench import search_answers
from bench.comparing import Line, against
from bench.search_answers import Judged
from bench.search_courses import AT, fill
from domain import search
from domain.catalogue import ShopQuery
from domain.db import Database, database_url
from domain.search.reading import MOST_POSTINGS
from domain.tables import SearchPosting, SearchWord

ROUNDS = 60
# Kinds of query with equally many hits whatever the size.
EQUAL = ("fixed hits", "fixed and frequent")
# What is asked, and why.
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
class Timed:
    """Milliseconds of one kind of query, by the clock and by what this process worked, whatever others do."""

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
class Measured:
    """A catalogue of one size: its mix of queries one by one, and all searches and all suggestions together."""

    size: int
    kinds: dict[str, Timed]
    table: Judged

    @property
    def searches(self) -> Timed:
        return _mixed([one for what, one in self.kinds.items() if not what.startswith("suggest")])

    @property
    def suggestions(self) -> Timed:
        return _mixed([one for what, one in self.kinds.items() if what.startswith("suggest")])


def _mixed(kinds: list[Timed]) -> Timed:
    times = [time for one in kinds for time in one.times]
    worked = [time for one in kinds for time in one.worked]
    return Timed(times, worked, most_read=max(one.most_read for one in kinds))


def measure(db: Database, size: int) -> Measured:
    # As the host does at its start (host/web.py).
    gc.collect()
    gc.freeze()
    kinds = {what: _timed(db, what, text, shop) for what, text, shop in MIX}
    return Measured(size, kinds, search_answers.judge(db))


def _timed(db: Database, what: str, text: str, shop: ShopQuery) -> Timed:
    ask = _asker(what, text, shop)
    times, worked = [], []
    with db.reading() as session:
        hits, most_read = ask(session)
    for _ in range(ROUNDS):
        began, cpu = time.perf_counter(), time.process_time()
        with db.reading() as session:
            ask(session)
        times.append((time.perf_counter() - began) * 1000)
        worked.append((time.process_time() - cpu) * 1000)
    return Timed(times, worked, hits, most_read)


def _asker(what: str, text: str, shop: ShopQuery) -> Callable[[Session], tuple[int, int]]:
    def suggest(session: Session) -> tuple[int, int]:
        found = search.suggest(session, text)
        return len(found), 0

    def ask(session: Session) -> tuple[int, int]:
        sort = search.RELEVANCE if shop.sort == "popular" else shop.sort
        query = ShopQuery(level=shop.level, price=shop.price, sort=sort, page=shop.page)
        found = search.search(session, text, query, AT)
        return found.everything, max(found.read.values(), default=0)

    return suggest if what.startswith("suggest") else ask


def lines() -> list[Line]:
    """For `scripts/bench`: the two goals of search, and P9."""
    with tempfile.TemporaryDirectory(prefix="search-bench-") as folder:
        small, large = (_of(size, Path(folder), None) for size in (1_000, 100_000))
        pages = search_answers.page_times(Path(folder) / str(large.size))
    courses = f"{large.size:,} courses"
    made = [
        _within("search", f"search, p99 of a mix at {courses}", large.searches.p99, 50),
        _within("search", f"suggestions, p99 of a mix at {courses}", large.suggestions.p99, 20),
        _within("search", f"search, p99 of the table at {courses}", p99(large.table.times), 50),
        _within("search", f"/search as a whole page, p99 of the table at {courses}", p99(pages), 50),
        _right(large.table),
    ]
    for what in EQUAL:
        figure, base = large.kinds[what].cpu, small.kinds[what].cpu
        about = f"search, {what} at {courses}, CPU"
        made.append(against("P9", about, 2, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms at {small.size:,}")))
    read = large.searches.most_read
    goal = f"<= {MOST_POSTINGS:,}"
    made.append(Line("P9", "postings read for one word", goal, f"{read:,}", "", None, read <= MOST_POSTINGS))
    return made


def _right(table: Judged) -> Line:
    right = table.cases - len(table.wrong)
    figure, goal = f"{right} right", f"all {table.cases}"
    return Line("search", "answers of the table at 100,000 courses", goal, figure, "", None, not table.wrong)


def _within(goal: str, what: str, figure: float, most: float) -> Line:
    return Line(goal, what, f"<= {most:g} ms", f"{figure:.1f} ms", "", None, figure <= most)


def _of(size: int, folder: Path, url: str | None) -> Measured:
    """Fills what is not filled yet, measures and reports."""
    place = folder / str(size)
    place.mkdir(parents=True, exist_ok=True)
    db = Database(database_url(f"{url}{size}" if url else None, place), deadline_s=600, busy_ms=60_000)
    seconds = fill(db, size)
    measured = measure(db, size)
    report(measured, seconds, db)
    db.engine.dispose()
    return measured


def report(measured: Measured, seconds: float, db: Database) -> None:
    with db.reading() as session:
        words = session.scalar(select(func.count()).select_from(SearchWord))
        postings = session.scalar(select(func.count()).select_from(SearchPosting))
    built = f", indexed in {seconds:.0f} s ({measured.size / seconds:.0f}/s)" if seconds else ""
    say(f"\n{measured.size} courses{built}; {words} words, {postings} postings")
    for what, one in measured.kinds.items():
        say(f"  {what:22} {_figures(one)}  hits {one.hits:5}  most read {one.most_read}")
    for what, one, goal in (("all searches", measured.searches, 50), ("all suggestions", measured.suggestions, 20)):
        say(f"  {what:22} {_figures(one)}  goal {goal}")

    table = measured.table
    say(f"  table: {table.cases - len(table.wrong)} of {table.cases} right, p99 {p99(table.times):.1f} ms")
    for wrong in table.wrong:
        say(f"    {wrong}")


def _figures(one: Timed) -> str:
    return f"p50 {one.p50:6.1f}  p99 {one.p99:6.1f}  cpu p50 {one.cpu:5.1f}  p99 {one.cpu_p99:5.1f} ms"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(args: argparse.Namespace) -> int:
    folder = Path(args.keep or tempfile.mkdtemp(prefix="search-bench-"))
    results = [_of(int(size), folder, args.database) for size in args.sizes.split(",")]
    small, large = results[0], results[-1]
    for what in EQUAL if len(results) > 1 else ():
        ratio = large.kinds[what].cpu / small.kinds[what].cpu
        say(f"P9 {what}: {large.kinds[what].hits} and {small.kinds[what].hits} hits, CPU {ratio:.2f} x (goal 2)")
    if args.database is None:
        say(f"/search as a whole page: p99 {p99(search_answers.page_times(folder / str(large.size))):.1f} ms")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,100000", help="courses in each catalogue")
    parser.add_argument("--keep", help="folder that keeps the databases for the next run")
    parser.add_argument("--database", help="mysql://…/name: the size is added to the name; default SQLite")
    sys.exit(main(parser.parse_args()))

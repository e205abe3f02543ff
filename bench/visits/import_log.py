"""R3: what importing a line of a log costs beside reading it and matching the one expression; memory of long logs."""

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

from bench.comparison import ResultLine
from config.settings import ROOT
from domain.database.database import Database, database_url
from domain.log_import import importing
from domain.log_import.forms.expressions import COMBINED_EXPRESSION
from domain.log_import.importing import ImportOptions, LogImport
from domain.log_import.lines import open_files
from domain.log_import.visitors import Agents
from domain.migrations import runner
from domain.visits.raw.local_days import DayRules
from host.http.user_agents import browser_family, visitor_class

LINES = 300_000
# Lines of the two logs that memory is measured with.
FEW_LINES, MANY_LINES = 1_000_000, 10_000_000
ROUNDS = 3
LIMIT, LINES_A_SECOND, MEMORY_MB = 5.0, 25_000, 400
START = datetime(2026, 3, 2, tzinfo=UTC)
HOST = "www.school.example"
_AGENTS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "Mozilla/5.0 (X11; Linux x86_64; rv:{0}.0) Gecko/20100101 Firefox/{0}.0",
)
_BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


def r3() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        path = _write(Path(name) / "access.log", LINES)
        read, own, rates, days = [], [], [], []
        for number in range(ROUNDS):
            read.append(_cpu_us(lambda: _match(path), LINES))
            log_import = _import_into(Path(name), number)
            began = time.monotonic()
            own.append(_cpu_us(partial(_store, log_import, path), LINES))
            rates.append(LINES / (time.monotonic() - began))
            days.append(_cpu_us(partial(log_import.compute_days, HOST, lambda *_: None), LINES))
            log_import.database.engine.dispose()
    return [_cost(own, read), _rate(rates), _cost(days, read, "compute their days", None), *_memory()]


def _cost(own: list[float], read: list[float], what: str = "import", limit: float | None = LIMIT) -> ResultLine:
    figure, base = median(own), median(read)
    ratio = figure / base
    return ResultLine(
        "R3",
        f"{what} of {LINES:,} lines of a log, CPU a line",
        "" if limit is None else f"<= {limit:.0f} x",
        f"{figure:.1f} us",
        f"{base:.1f} us reading and matching",
        ratio,
        None if limit is None else ratio <= limit,
    )


def _rate(rates: list[float]) -> ResultLine:
    figure = median(rates)
    goal = f">= {LINES_A_SECOND:,}"
    return ResultLine("R3", "lines a second", goal, f"{figure:,.0f}", "", None, figure >= LINES_A_SECOND)


def _memory() -> list[ResultLine]:
    few, many = (_peak_mb(lines) for lines in (FEW_LINES, MANY_LINES))
    return [
        ResultLine(
            "R3",
            f"memory with {MANY_LINES:,} lines",
            f"<= {MEMORY_MB} MB, flat",
            f"{many:.0f} MB",
            f"{few:.0f} MB with {FEW_LINES:,}",
            many / few,
            many <= MEMORY_MB and many <= 1.2 * few,
        )
    ]


def _peak_mb(lines: int) -> float:
    """The peak memory of a process of its own that imports so many lines; without their days, which are read in
    parts."""
    command = [sys.executable, "-m", "bench.visits.import_log", str(lines)]
    return float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def _cpu_us(work: Callable[[], object], lines: int) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e6 / lines


def _match(path: Path) -> None:
    """What no import can do without: a line as text, and the expression on it."""
    match = re.compile(COMBINED_EXPRESSION, re.ASCII).fullmatch
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            match(line[:-1])


def _import_into(folder: Path, number: int) -> LogImport:
    own = folder / str(number)
    own.mkdir()
    database = Database(database_url(None, own), deadline_s=60)
    runner.upgrade(database.engine)
    return LogImport(database, DayRules(), lambda: datetime.now(UTC))


def _store(log_import: LogImport, path: Path) -> None:
    options = ImportOptions(HOST, own_hosts=[HOST])
    visitors = importing.visitors_of(HOST, "secret", Agents(visitor_class, browser_family))
    checked = importing.check(open_files([path]), options)
    log_import.store(checked, options.rules(visitors), lambda *_: None)


def _write(path: Path, lines: int) -> Path:
    """Write a log: of 100 lines some 24 pages, 62 files, 14 others; 500,000 lines a day, a visitor has some 30."""
    chance = Random(20260302)
    with path.open("w", encoding="utf-8") as file:
        for number in range(lines):
            at = START + timedelta(milliseconds=173 * number)
            # Those who visit at the same time: 2,000 of all.
            visitor = number // 60_000 * 2_000 + chance.randrange(2_000)
            agent = _BOT if visitor % 50 == 0 else _AGENTS[visitor % 3].format(100 + visitor % 26)
            address = f"198.{51 + visitor // 65_536}.{visitor // 256 % 256}.{visitor % 256}"
            request, status, referrer = _request(chance)
            time_text = f"{at:%d/%b/%Y:%H:%M:%S} +0000"
            file.write(f'{address} - - [{time_text}] "{request} HTTP/1.1" {status} 5123 "{referrer}" "{agent}"\n')
    return path


def _request(chance: Random) -> tuple[str, int, str]:
    place = chance.random()
    own = f"https://{HOST}/course-details?course=course-{int(2_000 * chance.random() ** 2)}"
    if place < 0.24:
        path = f"/course-details?course=course-{int(2_000 * chance.random() ** 2)}" if place < 0.16 else "/shop?page=2"
        return f"GET {path}", 200, own if place < 0.18 else "https://www.google.com/"
    if place < 0.86:
        return f"GET /static/build/part-{chance.randrange(60)}.{chance.choice(('js', 'css', 'png'))}", 200, own
    if place < 0.92:
        return "POST /api/cart", 200, own
    return ("GET /old-page", 301, "-") if place < 0.96 else (f"GET /missing-{chance.randrange(500)}", 404, "-")


def main(lines: int) -> None:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        _store(_import_into(Path(name), 0), _write(Path(name) / "access.log", lines))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""R1: reports about visits of 90 days, as days store them and with three filters, from files. Usually a million visits,
with --full ten million. The reports are asked for in a process of its own, whose memory is that of a worker."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import delete, insert

from bench.comparison import ResultLine
from bench.processes import ROOT, freeze_startup_objects
from bench.staff.many_rows import CHOSEN, FULL
from bench.visits.days import MIDNIGHT, rows_of_day
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.reports.visit_reports.answers import FiledFigures, answer, filtered_answer, plan_of
from domain.reports.visit_reports.descriptions import REPORTS, ReportDescription
from domain.reports.visit_reports.filed_figures import current_lists, read
from domain.reports.visit_reports.parameters import read_parameters
from domain.reports.warehouse import Warehouse
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.tables import Visit
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods

DAYS = 90
USUAL_VISITS, FULL_VISITS = 1_000_000, 10_000_000
ROUNDS = 12
LIMIT_MS, LIMIT_MB = 200.0, 400.0
NOW = MIDNIGHT + timedelta(days=DAYS, hours=12)
# Three of these at a time.
FILTERS = ("channel:search", "channel:email", "device:desktop", "device:mobile", "coupon:(none)", "partner:(none)")


def r1() -> list[ResultLine]:
    visits = FULL_VISITS if CHOSEN.sizes is FULL else USUAL_VISITS
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        _fill(Path(name), visits // DAYS)
        size_mb = sum(path.stat().st_size for path in Path(name).glob("analytics/*/*")) / 2**20
        command = [sys.executable, "-m", "bench.visits.reports", name]
        found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    what = f"reports over {DAYS} days of {visits:,} visits"
    return [
        _line(f"{what}, p95", found["plain"]),
        _line(f"{what} with 3 filters, p95", found["filtered"]),
        ResultLine(
            "R1",
            f"memory of a worker that answers filters, files of {size_mb:.0f} MB",
            f"<= {LIMIT_MB:.0f} MB",
            f"{found['memory_mb']:.0f} MB",
            "",
            None,
            found["memory_mb"] <= LIMIT_MB,
        ),
    ]


def _line(what: str, times: dict[str, float]) -> ResultLine:
    goal, figure = f"<= {LIMIT_MS:.0f} ms", f"{times['p95_ms']:.0f} ms, CPU {times['cpu_ms']:.0f} ms in the mean"
    return ResultLine(
        "R1", what, goal, figure, f"median {times['median_ms']:.0f} ms", None, times["p95_ms"] <= LIMIT_MS
    )


def _fill(folder: Path, visits_a_day: int) -> None:
    """Days are computed one after the other; their raw visits, which no report reads, are not kept."""
    database, chance = _database(folder), Random(90)
    runner.upgrade(database.engine)
    files = Warehouse(folder / "analytics", 256)
    days = DayBuilder(database, DayRules(), lambda: NOW, files=files)
    for number in range(DAYS):
        midnight = MIDNIGHT + timedelta(days=number)
        with database.write_session() as session:
            session.execute(delete(Visit))
            rows = list(rows_of_day(chance, midnight, visits_a_day, number * visits_a_day))
            for start in range(0, len(rows), 5_000):
                session.execute(insert(Visit), rows[start : start + 5_000])
        days.build(midnight.date())
    WarehouseUpkeep(database, files, DayRules(), Periods(), lambda: NOW).run()
    database.engine.dispose()


def _database(folder: Path) -> Database:
    return Database(database_url(None, folder), deadline_s=60)


def measure(folder: Path) -> dict[str, Any]:
    database, warehouse, chance = _database(folder), Warehouse(folder / "analytics", 256), Random(7)
    freeze_startup_objects()

    def ask(report: ReportDescription, filters: tuple[str, ...]) -> None:
        days = {"from": MIDNIGHT.date().isoformat(), "to": (NOW.date() - timedelta(days=1)).isoformat()}
        query, errors = read_parameters(report, {**days, "compare": "previous"}, NOW.date(), filters)
        if errors:
            raise ValueError(errors)
        with database.read_session() as session:
            if not query.needs_files:
                answer(session, query, DayRules(), NOW)
                return
            reach, requests = plan_of(session, query, DayRules(), NOW)
            figures = FiledFigures(reach, read(warehouse, current_lists(session), requests))
            filtered_answer(session, query, DayRules(), NOW, figures)

    def three() -> tuple[str, ...]:
        names = chance.sample(("channel", "device", "coupon", "partner"), 3)
        return tuple(chance.choice([text for text in FILTERS if text.startswith(name)]) for name in names)

    plain = _times(lambda report: ask(report, ()))
    filtered = _times(lambda report: ask(report, three()))
    return {"plain": plain, "filtered": filtered, "memory_mb": _peak_mb()}


def _peak_mb() -> float:
    """The memory of this process alone: `getrusage` counts what its parent had when it was started."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1024


def _times(ask: Callable[[ReportDescription], None]) -> dict[str, float]:
    """How long every report takes, in turn, after a first round."""
    times: list[float] = []
    cpu = 0.0
    for number in range(ROUNDS + 1):
        for report in REPORTS.values():
            began, cpu_began = time.perf_counter(), time.process_time()
            ask(report)
            if number:
                times.append((time.perf_counter() - began) * 1000)
                cpu += (time.process_time() - cpu_began) * 1000
    times.sort()
    return {
        "p95_ms": times[int(len(times) * 0.95)],
        "median_ms": times[len(times) // 2],
        "cpu_ms": cpu / len(times),
    }


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))

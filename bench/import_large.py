"""Speed and memory of a large import: `python bench/import_large.py [rows [FOLDER]]`.

Writes a CSV of generated courses into a temporary folder, imports it twice into an empty SQLite database there, and
prints rows per second and the peak memory of the process. With the FOLDER of another checkout, whose packages are
installed, the two import the same file in turns, a process each, and the ratios of CPU time and memory are printed: of
three rounds, and of one round for more than 20,000 rows, which then takes some ten minutes on an idle machine.
docs/performance.md names it.
"""

import csv
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

# The checkout that is measured comes after `measure`.
sys.path.insert(0, sys.argv[2] if sys.argv[1:2] == ["measure"] else str(Path(__file__).parent.parent))

from sqlalchemy import URL

from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.database.database import Database
from domain.money import currency
from domain.tables import Base

HEADER = [
    "course_id",
    "course_title",
    "url",
    "is_paid",
    "price",
    "num_subscribers",
    "num_reviews",
    "num_lectures",
    "level",
    "content_duration",
    "published_timestamp",
    "subject",
]
SUBJECTS = (
    "Bookkeeping",
    "Payroll",
    "Audit",
    "Treasury",
    "Negotiation",
    "Spreadsheets",
    "Business Spanish",
    "Security",
)
LEVELS = ("All Levels", "Beginner Level", "Intermediate Level", "Expert Level")
ROOT = Path(__file__).parent.parent
# Bytes of some 20,000 rows.
LARGE = 3_500_000
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def write_courses(path: Path, rows: int) -> None:
    """Writes generated courses in the columns of a usual export. Equal numbers give equal files."""
    chance = random.Random(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number in range(rows):
            writer.writerow(_course(number, chance))


def _course(number: int, chance: random.Random) -> list[object]:
    subject = chance.choice(SUBJECTS)
    price = chance.randrange(0, 40) * 5
    return [
        1_000_000 + number,
        f"{subject} in Practice, Part {number}",
        f"https://courses.example/{subject.lower().replace(' ', '-')}-{number}/",
        "TRUE" if price else "FALSE",
        price,
        chance.randrange(0, 50_000),
        chance.randrange(0, 900),
        chance.randrange(3, 120),
        chance.choice(LEVELS),
        chance.randrange(1, 80) / 2,
        (AT - timedelta(days=chance.randrange(1, 3000))).strftime("%Y-%m-%dT%H:%M:%SZ"),
        subject,
    ]


def main(rows: int, other: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "courses.csv"
        write_courses(path, rows)
        print(f"{rows} rows, {path.stat().st_size / 2**20:.1f} MiB")
        if other is None:
            measure(path)
        else:
            compare(path, other)


def measure(path: Path) -> None:
    """Import the file twice, and print times and memory; the last line is CPU seconds and MiB."""
    database = Database(URL.create("sqlite", database=f"{path}.{time.time_ns()}"), deadline_s=60, busy_ms=60_000)
    Base.metadata.create_all(database.engine)
    for word in ("first", "again"):
        began = time.perf_counter()
        plan = import_validate.check(path, "courses", currency("USD"))
        checked = time.perf_counter()
        result = import_writing.write_plan(plan, database.write_session, AT)
        ended = time.perf_counter()
        print(
            f"{word}: check {checked - began:.1f} s, import {ended - checked:.1f} s, "
            f"{plan.rows / (ended - began):.0f} rows/s, added {result.added}, unchanged {result.unchanged}"
        )
    database.engine.dispose()
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"{used.ru_utime + used.ru_stime:.2f} CPU s, {used.ru_maxrss / 1024:.0f} MiB")


def compare(path: Path, other: str) -> None:
    """The median of the rounds of each, in turns."""
    found: dict[str, list[tuple[float, float]]] = {str(ROOT): [], other: []}
    for _ in range(1 if path.stat().st_size > LARGE else 3):
        for folder, results in found.items():
            command = [sys.executable, __file__, "measure", folder, str(path)]
            told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=7200).stdout
            print(f"{folder}\n{told}", flush=True)
            cpu, _cpu, _s, memory, _mib = told.splitlines()[-1].split()
            results.append((float(cpu), float(memory)))
    mine, theirs = ([statistics.median(part) for part in zip(*results, strict=True)] for results in found.values())
    for name, ours, before in zip(("CPU s", "MiB"), mine, theirs, strict=True):
        print(f"{name}: {ours:.1f}, the other {before:.1f}, ratio {ours / before:.3f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2] if len(sys.argv) > 2 else None)

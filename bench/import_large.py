"""Speed and memory of a large import: `python bench/import_large.py [rows]`.

Writes a CSV of generated courses into a temporary folder, imports it twice into an empty SQLite database there, and
prints rows per second and the peak memory of the process. docs/performance.md names it.
"""

import csv
import random
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from sqlalchemy import URL

from domain import catalogue_import
from domain.database.database import Database
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


def main(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "courses.csv"
        write_courses(path, rows)
        database = Database(
            URL.create("sqlite", database=str(Path(folder) / "bench.db")), deadline_s=60, busy_ms=60_000
        )
        Base.metadata.create_all(database.engine)
        print(f"{rows} rows, {path.stat().st_size / 2**20:.1f} MiB")
        for word in ("first", "again"):
            began = time.perf_counter()
            plan = catalogue_import.check(path, "courses")
            checked = time.perf_counter()
            result = catalogue_import.write_plan(plan, database.write_session, AT)
            ended = time.perf_counter()
            print(
                f"{word}: check {checked - began:.1f} s, import {ended - checked:.1f} s, "
                f"{rows / (ended - began):.0f} rows/s, added {result.added}, unchanged {result.unchanged}"
            )
        database.engine.dispose()
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)

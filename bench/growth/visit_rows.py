"""Visits of a year and a half, written row by row into SQLite: a million takes some twenty seconds."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.growth.catalogue_rows import connect
from bench.selling.order_floor import text_of

DAYS = 550
CHUNK = 100_000
_COLUMNS = str.split(
    "event_id visited_at session_id page url campaign visitor_class source coupon_id student_number special_coupon "
    "referrer agent address"
)


def fill(folder: Path, count: int) -> None:
    """Adds `count` visits; a tenth of them are of crawlers. The newest is an hour old."""
    newest = datetime.now(UTC) - timedelta(hours=1)
    chance = random.Random(count)
    with closing(connect(folder)) as connection:
        for first in range(0, count, CHUNK):
            connection.execute("BEGIN IMMEDIATE")
            _insert(connection, _visits(range(first, min(first + CHUNK, count)), count, newest, chance))
            connection.execute("COMMIT")
        connection.execute("PRAGMA optimize")


def _insert(connection: sqlite3.Connection, rows: Iterator[tuple[Any, ...]]) -> None:
    places = ", ".join("?" * len(_COLUMNS))
    connection.executemany(f"INSERT INTO visits ({', '.join(_COLUMNS)}) VALUES ({places})", rows)


def _visits(numbers: range, count: int, newest: datetime, chance: random.Random) -> Iterator[tuple[Any, ...]]:
    """In the order of their times."""
    step_s = DAYS * 86_400 / count
    for number in numbers:
        at = newest - timedelta(seconds=(count - number) * step_s)
        course = int(chance.random() * 100_000)
        sort = ("crawler", "host") if number % 10 == 0 else ("human", "browser")
        url = f"/course-details?course=growth-{course}"
        event = f"{chance.getrandbits(128):032x}"
        event_id = f"{event[:8]}-{event[8:12]}-{event[12:16]}-{event[16:20]}-{event[20:]}"
        yield event_id, text_of(at), f"s{number // 5}", "course-details", url, "{}", *sort, *[""] * 6

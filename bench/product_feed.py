"""P11: the product feed of a large catalogue takes no more memory than its compressed form, and stops nobody."""

import asyncio
import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from sqlalchemy import insert

from bench.comparison import ResultLine
from config.settings import Settings
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.tables import Category, Course, Product
from host.feeds.product_feed import ProductFeed
from host.site_state import SiteCache

SMALL, LARGE = 1_000, 10_000
TEXT = "A **long** description of what is taught here, with [links](/shop) and lists. " * 20
# How long the event loop may be held up at once.
MOST_MS = 50.0


@dataclass(frozen=True)
class Measured:
    """`peak_mb`: what was allocated at most at once, beyond the finished feed; `held_ms`: the longest time without a
    turn of the event loop."""

    seconds: float
    peak_mb: float
    held_ms: float


def p11() -> list[ResultLine]:
    small, large = _measured(SMALL), _measured(LARGE)
    memory, held = f"{large.peak_mb:.1f} MB", f"{large.held_ms:.0f} ms"
    what = f"feed of {LARGE:,} products ({large.seconds:.1f} s)"
    return [
        ResultLine(
            "P11",
            f"{what}: memory while it is made",
            "<= 2 x + 4 MB",
            memory,
            f"{small.peak_mb:.1f} MB at {SMALL:,}",
            None,
            large.peak_mb <= 2 * small.peak_mb + 4,
        ),
        ResultLine("P11", f"{what}: event loop held", f"<= {MOST_MS:.0f} ms", held, "", None, large.held_ms <= MOST_MS),
    ]


def _measured(products: int) -> Measured:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as folder:
        db = Database(database_url(None, Path(folder)), deadline_s=60, busy_ms=60_000)
        runner.upgrade(db.engine)
        _fill(db, products)
        settings = Settings.from_environment({"VAR_DIR": folder})
        return asyncio.run(_generate(settings, db))


def _fill(db: Database, products: int) -> None:
    at = datetime.now(UTC)
    with db.write_session() as session:
        session.execute(insert(Category), [{"id": 1, "slug": "tax", "name": "Tax"}])
        shared = {"kind": "course", "category_id": 1, "status": "published", "updated_at": at, "published_at": at}
        shared |= {"list_price": Decimal(100), "language": "en", "image": "/pictures/course/tax/a/0.svg"}
        rows = [
            {**shared, "id": id_, "slug": f"course-{id_}", "name": f"Course {id_}"} for id_ in range(1, products + 1)
        ]
        session.execute(insert(Product), rows)
        session.execute(insert(Course), [{"id": row["id"], "description": TEXT} for row in rows])


async def _generate(settings: Settings, db: Database) -> Measured:
    feed, site = ProductFeed(settings, db), SiteCache(settings, db, "")
    await site.refresh()
    watch = asyncio.ensure_future(_longest_pause())
    began = time.perf_counter()
    finished = await feed.current(site.state)
    seconds = time.perf_counter() - began
    watch.cancel()
    held = await watch
    tracemalloc.start()
    again = ProductFeed(settings, db)
    await again.current(site.state)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert finished.json_lines.etag
    await db.close()
    return Measured(seconds, (peak - kept) / 2**20, held)


async def _longest_pause() -> float:
    """In milliseconds, until it is cancelled."""
    longest, last = 0.0, time.perf_counter()
    while True:
        try:
            await asyncio.sleep(0.001)
        except asyncio.CancelledError:
            return longest
        now = time.perf_counter()
        longest, last = max(longest, (now - last) * 1000), now

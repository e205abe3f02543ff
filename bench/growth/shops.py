"""Shops of each size: the demo shop with generated courses, orders and visits."""

import shutil
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.growth import catalogue_rows, visit_rows
from bench.selling.many_orders import add_orders
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.money import currency
from domain.seed import demo_shop

SMALL = 1_000


@dataclass(frozen=True)
class Sizes:
    """Rows beside those of the demo shop."""

    courses: int
    orders: int
    visits: int


USUAL, FULL = Sizes(100_000, 100_000, 1_000_000), Sizes(1_000_000, 1_000_000, 10_000_000)


def shop_of(folder: Path, *, courses: int = 0, orders: int = 0, visits: int = 0) -> Path:
    """The folder of such a shop within `folder`, filled unless it is there."""
    place = folder / f"c{courses}-o{orders}-v{visits}"
    is_filled = place / "filled"
    if is_filled.exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    began = time.perf_counter()
    database = Database(database_url(None, place), deadline_s=60, busy_ms=60_000)
    runner.upgrade(database.engine)
    with database.write_session() as session:
        demo_shop.load(session, datetime.now(UTC), currency("USD"))
    database.engine.dispose()
    if courses:
        catalogue_rows.fill(place, courses)
    if orders:
        add_orders(place, orders)
    if visits:
        visit_rows.fill(place, visits)
    with closing(catalogue_rows.connect(place)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    is_filled.touch()
    size = sum(file.stat().st_size for file in place.iterdir()) / 2**20
    print(f"{place.name}: filled in {time.perf_counter() - began:.0f} s, {size:,.0f} MiB", file=sys.stderr)
    return place

"""P9: what /shop costs must not grow with the catalogue."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.client import Load
from bench.comparing import Line, against, cpu_ms, in_turns
from bench.import_large import write_courses
from bench.processes import Site, site
from domain import imports, migrations
from domain.db import Database, database_url

SMALL, LARGE = 1_000, 100_000
REQUESTS = 400


def p9() -> list[Line]:
    with _shop(SMALL) as small, _shop(LARGE) as large:
        return [_page(small, large, path) for path in ("/shop", "/shop?category=bookkeeping", "/shop?sort=newest")]


def _page(small: Site, large: Site, path: str) -> Line:
    at_large, at_small = in_turns((large, small), Load(0, path, REQUESTS))
    figure, base = cpu_ms(at_large), cpu_ms(at_small)
    what = f"{path} at {LARGE:,} courses, CPU"
    return against("P9", what, 1.2, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms at {SMALL:,}"))


@contextmanager
def _shop(courses: int) -> Iterator[Site]:
    """A site of that many invented courses; pages are drawn whole and not kept, so that SQL is in every request."""
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        folder = Path(name)
        db = Database(database_url(None, folder), deadline_s=60, busy_ms=60_000)
        migrations.upgrade(db.engine)
        write_courses(folder / "courses.csv", courses)
        now = datetime.now(UTC)
        imports.carry_out(imports.check(folder / "courses.csv", "courses", {}), db.session, now)
        db.engine.dispose()
        with site(f"{courses:,} courses", folder, LIMITS="off", RENDER="whole") as made:
            yield made

"""P9: the cost of /shop must not grow with the catalogue."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, measure_alternately
from bench.import_large import write_courses
from bench.processes import Site, site
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.money import currency

SMALL, LARGE = 1_000, 100_000
REQUESTS = 400


def p9() -> list[ResultLine]:
    with _shop(SMALL) as small, _shop(LARGE) as large:
        return [_page(small, large, path) for path in ("/shop", "/shop?category=bookkeeping", "/shop?sort=newest")]


def _page(small: Site, large: Site, path: str) -> ResultLine:
    at_large, at_small = measure_alternately((large, small), Load(0, path, REQUESTS))
    figure, base = cpu_ms(at_large), cpu_ms(at_small)
    what = f"{path} at {LARGE:,} courses, CPU"
    return compare("P9", what, 1.2, (figure, f"{figure:.2f} ms"), (base, f"{base:.2f} ms at {SMALL:,}"))


@contextmanager
def _shop(courses: int) -> Iterator[Site]:
    """A site with that many generated courses. Pages are rendered whole and not cached: every request runs its SQL."""
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        folder = Path(name)
        db = Database(database_url(None, folder), deadline_s=60, busy_ms=60_000)
        runner.upgrade(db.engine)
        write_courses(folder / "courses.csv", courses)
        now = datetime.now(UTC)
        import_writing.write_plan(
            import_validate.check(folder / "courses.csv", "courses", currency("USD")), db.write_session, now
        )
        db.engine.dispose()
        with site(f"{courses:,} courses", folder, LIMITS="off", RENDER="whole") as running_site:
            yield running_site

"""An import of 3,678 courses with 50 bad rows, while worker and host are killed: the same end as undisturbed."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from domain.catalogue_import import check_job, job
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.job import ImportInput
from domain.database.database import Database, database_url
from domain.jobs import job_rows
from domain.jobs.job_rows import JobView, NewJob
from domain.tables import Learner
from domain.uploads import upload_rows
from tests.support.site import Site, running
from tests.support.waiting import until

Outcome = tuple[bool, str]
ROWS, BAD = 3_678, 50
# No upload has this number, as each new site begins with 1.
UPLOAD = 1_000_000
ENDS_WITHIN_S = 300.0
KINDS = (check_job.KIND, job.KIND)


async def import_kills() -> Outcome:
    """Check and import are each disturbed once they have begun: first the workers are killed, then the hosts."""
    undisturbed, _ = await _import(is_disturbed=False)
    disturbed, kills = await _import(is_disturbed=True)
    text = f"{kills} processes killed; {len(disturbed)} courses, {len(undisturbed)} undisturbed"
    return disturbed == undisturbed and len(disturbed) == ROWS - BAD and kills >= 4, text


async def _import(*, is_disturbed: bool) -> tuple[Sequence[tuple[Any, ...]], int]:
    """The imported courses, and how many processes were killed."""
    with running(LIMITS="off") as site:
        path = upload_rows.path_of(site.var_dir / "files", UPLOAD)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_rows(), "utf-8")
        kills = 0
        about: CheckInput = CheckInput(UPLOAD, "courses.csv", "courses")
        for kind in KINDS:
            job_id = await asyncio.to_thread(_start, site, kind, about)
            if is_disturbed:
                kills += await _kill_midway(site, job_id)
            await until(partial(_is_done, site, job_id), ENDS_WITHIN_S, 0.5)
            if kind == check_job.KIND:
                about = ImportInput.of_check(_view(site, job_id))
        query = "SELECT source_id, slug, name, list_price, status FROM products WHERE source_id LIKE 'kill-%'"
        return site.query(f"{query} ORDER BY source_id"), kills


async def _kill_midway(site: Site, job_id: int) -> int:
    """Kill all workers, then all hosts, once a step of the job is done; how many were killed."""
    await until(lambda: _view(site, job_id).processed > 0, ENDS_WITHIN_S, 0.05)
    pids = site.pids()
    for pid in (*pids["worker"], *pids["host"]):
        os.kill(pid, signal.SIGKILL)
    return len(pids["worker"]) + len(pids["host"])


def _rows() -> str:
    rows = (f"kill-{n},Course number {n},Tax,{'' if n <= BAD else n},2\n" for n in range(1, ROWS + 1))
    return "id,title,subject,price,content_duration\n" + "".join(rows)


def _start(site: Site, kind: str, about: CheckInput) -> int:
    at = datetime.now(UTC)
    with _database(site) as db, db.write_session() as session:
        learner = session.query(Learner).filter_by(email="admin@example.test").one()
        return job_rows.start(session, NewJob(kind, about.as_json(), f"bench {kind}", learner.id), at)


def _is_done(site: Site, job_id: int) -> bool:
    return _view(site, job_id).state == "done"


def _view(site: Site, job_id: int) -> JobView:
    with _database(site) as db, db.read_session() as session:
        return job_rows.job_view(session, job_id, KINDS)


@contextmanager
def _database(site: Site) -> Iterator[Database]:
    """Beside the site's own connections."""
    db = Database(database_url(None, site.var_dir), busy_ms=20_000)
    try:
        yield db
    finally:
        db.engine.dispose()

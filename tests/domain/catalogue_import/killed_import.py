"""An import in a child process that is killed at a fault point (tests/support/children.py)."""

from pathlib import Path

from sqlalchemy import make_url

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from domain import fault_points
from domain.catalogue_import import write
from domain.database.database import Database
from tests.support.shops import USD

ROWS_IN_CHUNK = 10


def run(url: str, folder: str, point: str) -> None:
    fault_points.arm(point)
    write.ROWS_IN_CHUNK = ROWS_IN_CHUNK
    database = Database(make_url(url), deadline_s=30, busy_ms=30_000)
    JobRunner(database, kinds(Path(folder), USD)).run_slice()

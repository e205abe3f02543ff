"""Does imports in child processes that are killed at a fault point: `python -m
tests.domain.catalogue_import.killed_import`.
Each line of input is JSON: the database's `url`, the `folder` of uploads and the `point`. It prints the signal that
ended the child, or its exit code.
"""

import json
import os
import sys
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


def main() -> None:
    while line := sys.stdin.readline():
        child = os.fork()
        if not child:
            run(**json.loads(line))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()

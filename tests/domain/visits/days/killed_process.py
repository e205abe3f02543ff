"""Computes a day and is killed at a fault point: `python -m tests.domain.visits.days.killed_process URL POINT`."""

import sys

from sqlalchemy import make_url

from domain import fault_points
from domain.database.database import Database
from tests.domain.visits.days.worlds import DAY, builder

if __name__ == "__main__":
    fault_points.arm(sys.argv[2])
    builder(Database(make_url(sys.argv[1]), deadline_s=30, busy_ms=30_000)).build(DAY)

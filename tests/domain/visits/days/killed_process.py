"""Computes a day in a child process that is killed at a fault point (tests/support/children.py)."""

from sqlalchemy import make_url

from domain import fault_points
from domain.database.database import Database
from tests.domain.visits.days.worlds import DAY, builder


def run(url: str, point: str) -> None:
    fault_points.arm(point)
    builder(Database(make_url(url), deadline_s=30, busy_ms=30_000)).build(DAY)

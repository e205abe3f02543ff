"""A run of retention that is killed at a fault point: `python -m tests.domain.visits.retention.killed_process URL POINT
[unguarded]`. Unguarded: what was deleted is counted in a transaction of its own."""

import sys
from datetime import date

from sqlalchemy import make_url
from sqlalchemy.orm import Session

from domain import fault_points
from domain.database.database import Database
from domain.visits.raw.local_days import DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention import deleting
from tests.domain.visits.retention.worlds import MIDNIGHT, ONE_DAY, retain

AT = MIDNIGHT + 22 * ONE_DAY


def _count_afterwards(session: Session, site: int, day: date, rules: DayRules) -> int:
    """The process does not live to do so."""
    raw_visits(site).delete_some(session, rules.window(day), deleting.PART)
    session.commit()
    fault_points.hit("retention.deleted")
    raise AssertionError


if __name__ == "__main__":
    database = Database(make_url(sys.argv[1]), deadline_s=30, busy_ms=30_000)
    deleting.PART = 2
    if sys.argv[3:] == ["unguarded"]:
        deleting.delete_visits = _count_afterwards
    fault_points.arm(sys.argv[2])
    retain(database, AT)

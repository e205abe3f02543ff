"""A run of retention in a child process that is killed at a fault point (tests/support/children.py)."""

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


def run(url: str, point: str, is_guarded: bool) -> None:
    """Not guarded: what was deleted is counted in a transaction of its own."""
    deleting.PART = 2
    if not is_guarded:
        deleting.delete_visits = _count_afterwards
    fault_points.arm(point)
    retain(Database(make_url(url), deadline_s=30, busy_ms=30_000), AT)

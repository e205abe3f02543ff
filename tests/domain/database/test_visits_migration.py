"""The migrations of days of visits, on both databases: what goes back with them, and what refuses to."""

import pytest
from sqlalchemy import text, update

from domain.errors import Refused
from domain.migrations import runner
from domain.tables import VisitDay, VisitHour, VisitRollup
from domain.visits.days import storage
from domain.visits.stored_days.keys import NAMES
from tests.support.factories import NOON

DAY_TABLES = ("visit_days", "visit_hours", "visit_rollups")


def test_days_of_imported_logs_go_with_their_sites_and_those_of_the_shop_stay(current):
    with current.write_session() as session:
        for site in (0, 1):
            storage.add_missing(session, [NOON.date()], NOON, site)
            sums = dict.fromkeys(NAMES, 1)
            about = {"site": site, "day": NOON.date(), "dimension": "all", "audience": "people", "key": "", **sums}
            session.add_all([VisitDay(**about), VisitHour(**about, hour=NOON)])
    runner.downgrade(current.engine, "0048_visit_claims")
    with current.engine.connect() as connection:
        found = [connection.scalars(text(f"SELECT site FROM {name}")).all() for name in DAY_TABLES]
    assert found == [[0], [0], [0]]


def test_days_whose_visits_were_deleted_stay_in_a_build_that_knows_of_it(current):
    """And those that are final with their visits can be computed by the build before."""
    with current.write_session() as session:
        storage.add_missing(session, [NOON.date()], NOON)
        final = {"finalised_at": NOON, "lease_until": storage.FOR_EVER, "deleted_visits": 1}
        session.execute(update(VisitRollup).values(final))
    with pytest.raises(Refused, match="The visits of 1 days were deleted: a release from before 0052_retention"):
        runner.downgrade(current.engine, "0050_indexes_of_lists")
    assert runner.is_current(current.engine)
    runner.check(current.engine)
    with current.write_session() as session:
        session.execute(update(VisitRollup).values(deleted_visits=0))
    runner.downgrade(current.engine, "0051_retirement_choices")
    with current.engine.connect() as connection:
        assert connection.scalars(text("SELECT lease_until FROM visit_rollups")).all() == [None]

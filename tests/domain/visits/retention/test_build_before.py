"""Processes of the build before, which do not know that a day is final, leave it alone: its visits are gone."""

from datetime import timedelta

import pytest
from sqlalchemy import true, update

from domain.tables import VisitRollup
from domain.visits.days import due, storage
from domain.visits.days.storage import FOR_EVER, Lease
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.retention.periods import Periods
from tests.domain.visits.days.worlds import builder
from tests.domain.visits.retention.worlds import AT, DAYS, figures, final_days, retain, rollups

LATER = AT + timedelta(days=1)
# Days become final and keep their visits.
HOURS_ALONE = Periods(0, 10)


@pytest.fixture
def retained(filled):
    retain(filled)
    return filled


@pytest.fixture
def build_before(monkeypatch):
    """It has other rules, by which every day is due."""

    def compute_due(database) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(storage, "_IS_OPEN", true())
            patch.setattr(due, "_OPEN", (VisitRollup.site == SHOP,))
            builder(database, LATER, idle_minutes=60).build_due()

    return compute_due


def free(database) -> None:
    """As a deletion of an account by a host of the build before does."""
    with database.write_session() as session:
        session.execute(update(VisitRollup).values(lease_until=None))


def leases(database) -> list:
    return [row.lease_until for row in rollups(database).values()]


def final_figures(database) -> list[tuple]:
    return [row for row in figures(database) if set(row) & set(map(str, DAYS[:4]))]


def test_it_computes_open_days_and_no_final_one(retained, build_before):
    before = final_figures(retained)
    build_before(retained)
    assert final_figures(retained) == before
    assert [row.built_at == LATER for row in rollups(retained).values()] == [False] * 4 + [True] * 2


def test_without_their_leases_final_days_would_be_lost(retained, build_before):
    """The negative control."""
    free(retained)
    with pytest.raises(AssertionError):
        test_it_computes_open_days_and_no_final_one(retained, build_before)


def test_neither_giving_a_lease_back_nor_an_erasure_frees_a_final_day(retained):
    token = rollups(retained)[DAYS[0]].lease_token
    with retained.write_session() as session:
        storage.give_back(session, Lease(DAYS[0], token, AT))
        storage.revoke_leases(session, AT)
    assert leases(retained) == [FOR_EVER] * 4 + [None] * 2


def test_the_next_run_holds_those_again_that_the_build_before_has_freed(retained):
    free(retained)
    retain(retained)
    assert leases(retained) == [FOR_EVER] * 4 + [None] * 2


def test_a_final_day_with_its_visits_that_the_build_before_has_computed_is_computed_again(filled, build_before):
    retain(filled, periods=HOURS_ALONE)
    free(filled)
    build_before(filled)
    versions = {row.rules_version for row in rollups(filled).values()}
    assert versions == {storage.rules_version(DayRules(idle_minutes=60))}
    retain(filled, periods=HOURS_ALONE)
    assert [(day, rollups(filled)[day].rules_version) for day in final_days(filled)] == [
        (day, storage.rules_version(DayRules())) for day in DAYS[:4]
    ]
    assert [builder(filled, LATER).is_stored(day) for day in DAYS[:4]] == [True] * 4

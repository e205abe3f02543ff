"""Who looked at which report: what is recorded, how long it stays, and who may have it."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.account import export
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import ReportLook
from domain.tables import ReportAccess
from tests.domain.visits.days.worlds import NOON
from tests.support import factories
from tests.support.shops import USD

LOOK = ReportLook("sources", "from=2026-03-01&to=2026-03-28", 12, "csv")


def test_a_look_is_recorded_and_is_in_the_data_of_that_person_alone(session):
    mia, other = factories.learner(session, "Mia"), factories.learner(session, "Other")
    accesses.record_access(session, mia.id, LOOK, NOON)
    session.flush()
    row = {"at": "2026-03-02T12:00:00Z", "report": "sources", "query": LOOK.query, "rows": 12, "action": "csv"}
    assert export.export(session, mia.id, NOON, USD)["reportAccesses"] == [row]
    assert export.export(session, other.id, NOON, USD)["reportAccesses"] == []


def test_a_long_query_is_cut(session):
    mia = factories.learner(session, "Mia")
    accesses.record_access(session, mia.id, ReportLook("sources", "f" * 900, 1, "view"), NOON)
    session.flush()
    assert session.scalars(select(func.length(ReportAccess.query))).all() == [accesses.MAX_QUERY]


@pytest.mark.each_database
def test_old_looks_are_deleted_in_parts_and_newer_ones_stay(session, monkeypatch):
    monkeypatch.setattr(accesses, "PART", 2)
    mia = factories.learner(session, "Mia")
    for days in range(5):
        accesses.record_access(session, mia.id, LOOK, NOON - timedelta(days=days))
    session.flush()
    before = NOON - timedelta(days=1)
    assert [accesses.delete_old(session, before) for _ in range(3)] == [2, 1, 0]
    assert session.scalar(select(func.count()).select_from(ReportAccess)) == 2

"""The reports on searches and on content gaps of a new shop show something of every kind."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.reports.all_reports import SOURCES
from domain.reports.searches.gap_kinds import GAPS
from domain.reports.visit_reports.parameters import read_parameters
from domain.seed import looked_for
from domain.tables import SearchQuery, Visit
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.support.factories import NOON

RULES = DayRules()


@pytest.fixture
def counted(own_demo):
    """The demo shop with the days of the usual period."""
    days = DayBuilder(own_demo, RULES, lambda: NOON)
    for number in range(looked_for.DAYS):
        days.build(NOON.date() - timedelta(days=number))
    return own_demo


def test_the_demo_has_searches_of_every_outcome_and_gaps_of_every_kind(counted):
    with counted.read_session() as session:
        for name, keys in (
            ("searches", ["searches", "noResults", "inSessions", "followed", "abandoned"]),
            ("gaps", [gap.figure for gap in GAPS.values()]),
        ):
            source = SOURCES[name]
            query, _ = read_parameters(source.report, {}, NOON.date())
            found = source.answer(session, query, RULES, NOON, None)
            assert [key for key in keys if not found.totals[key]] == [], name
            if name == "searches":
                assert found.totals["inSessions"] == found.totals["searches"]
                assert any(row.words["bought"] for row in found.rows)


def test_a_second_load_adds_no_search_and_no_visit(own_demo):
    def counts():
        with own_demo.read_session() as session:
            return [session.scalar(select(func.count()).select_from(table)) for table in (Visit, SearchQuery)]

    before = counts()
    with own_demo.write_session() as session:
        looked_for.add(session, NOON + timedelta(days=1))
    assert counts() == before

"""Searches without results are counted by the week, as their last occurrence in it was answered."""

from datetime import date, timedelta

import pytest

from domain.search.unanswered import searches_by_day, unanswered, week_of, weeks
from domain.tables import SearchQuery
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

MONDAY = week_of(NOON.date())


@pytest.fixture
def logged(session):
    for query, results, days in [
        ("golang", 0, 0),
        ("golang", 0, 1),
        ("kotlin", 0, 0),
        ("kotlin", 4, 1),
        ("vat", 9, 0),
        ("cobol", 0, -7),
    ]:
        at = NOON + timedelta(days=(MONDAY - NOON.date()).days + days)
        session.add(SearchQuery(searched_at=at, query=query, results=results, answer="exact" if results else "none"))
    session.flush()
    return session


def test_what_was_found_at_last_is_left_out_and_the_most_frequent_comes_first(logged):
    assert [(row.query, row.times, row.answer) for row in unanswered(logged, MONDAY)] == [("golang", 2, "none")]
    assert [row.query for row in unanswered(logged, MONDAY - timedelta(days=7))] == ["cobol"]


def test_every_day_of_a_week_is_counted(logged):
    days = searches_by_day(logged, MONDAY)
    assert (len(days), days[0], days[1], days[2][1:]) == (7, (MONDAY, 3, 2), (MONDAY + timedelta(1), 2, 1), (0, 0))


def test_the_weeks_reach_as_far_back_as_searches_are_stored():
    known = weeks(date(2026, 11, 26))
    assert (known[0], known[1], len(known)) == (date(2026, 11, 23), date(2026, 11, 16), 13)

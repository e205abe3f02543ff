"""Searches without results are counted by the week, as their last occurrence in it was answered."""

from datetime import date, timedelta

import pytest

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound
from domain.search.unanswered import bring_back, dismiss, searches_by_day, unanswered, week_of, weeks
from domain.staff.recorded_events import subject_entries
from domain.tables import DismissedSearch, SearchQuery
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

MONDAY = week_of(NOON.date())
WEEK = timedelta(days=7)


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


@pytest.fixture
def change(logged):
    """Make a change as an editor, and say what shows this week, what is dismissed, and what showed the week before."""
    actor = factories.actor(factories.learner(logged, "Ed Editor").id, "editor")
    at = NOON + timedelta(days=(MONDAY - NOON.date()).days)
    logged.add(SearchQuery(searched_at=at - WEEK, query="golang", results=0, answer="none"))

    def make(fn, *args):
        recording.run(logged, actor, fn, *args)
        logged.flush()
        lists = [(MONDAY, False), (MONDAY, True), (MONDAY - WEEK, False)]
        return [[row.query for row in unanswered(logged, week, is_dismissed=which)] for week, which in lists]

    return make


def test_what_is_dismissed_shows_in_earlier_weeks_alone_until_it_is_brought_back(logged, change):
    assert change(dismiss, "golang", MONDAY, NOON) == [[], ["golang"], ["cobol", "golang"]]
    [row] = unanswered(logged, MONDAY)
    assert (row.dismissed_at, row.dismissed_by) == (NOON, "Ed Editor")
    assert change(dismiss, "golang", MONDAY, NOON + WEEK)[0] == [], "again: nothing changes"
    assert change(dismiss, "golang", MONDAY - WEEK, NOON + WEEK) == [[], ["golang"], ["cobol"]]
    [subject] = [Subject("search", row.id) for row in logged.query(DismissedSearch)]
    assert change(bring_back, "golang") == [["golang"], [], ["cobol", "golang"]]
    assert change(bring_back, "golang")[0] == ["golang"]
    events = ["search.bring_back", "search.dismiss", "search.dismiss"]
    assert [entry.action for entry in subject_entries(logged, subject)] == events
    assert logged.query(DismissedSearch).count() == 0


@pytest.mark.parametrize(
    ("query", "monday", "error"),
    [
        ("vat", MONDAY, NotFound),
        ("cobol", MONDAY, NotFound),
        ("golang", MONDAY + timedelta(days=1), InvalidInput),
        ("golang", MONDAY - 14 * WEEK, InvalidInput),
    ],
    ids=["it was found", "of another week", "no Monday", "too long ago"],
)
def test_only_what_a_week_lists_is_dismissed(logged, change, query, monday, error):
    with pytest.raises(error):
        change(dismiss, query, monday, NOON)
    assert logged.query(DismissedSearch).count() == 0

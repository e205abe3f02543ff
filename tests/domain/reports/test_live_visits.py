"""The last 30 minutes: whose visits count, in which minute, and what was opened most."""

from datetime import timedelta

import pytest

from domain.reports.visit_reports.live import MAX_PATHS, MINUTES, live_visits
from tests.domain.visits.days.worlds import NOON, add, crawl, visit

MINUTE = timedelta(minutes=1)
# In the middle of a minute, the last of thirty.
AT = NOON + timedelta(seconds=30)


@pytest.mark.each_database
def test_visits_of_people_are_counted_by_minute_and_path(session):
    add(
        session,
        visit(1, NOON, "/", "a"),
        visit(2, NOON + timedelta(seconds=20), "/shop", "a"),
        visit(3, NOON - 29 * MINUTE, "/", "b"),
        visit(4, NOON - 2 * MINUTE, "/?utm_source=news", ""),
    )
    found = live_visits(session, AT)
    assert (found.visits, found.sessions, found.without_session) == (4, 2, 1)
    assert {minute: count for minute, count in enumerate(found.minutes) if count} == {0: 1, 27: 1, 29: 2}
    assert (len(found.minutes), found.since) == (MINUTES, NOON - 29 * MINUTE)
    assert found.paths == [("/", 3), ("/shop", 1)]


LEFT_OUT = {
    "a crawler": crawl(1, NOON),
    "a program": visit(1, NOON, visitor_class="suspected"),
    "a probe": visit(1, NOON, "/.env"),
    "staff": visit(1, NOON, "/admin/orders"),
    "an organisation": visit(1, NOON, "/organization"),
    "half an hour ago": visit(1, NOON - 29 * MINUTE - timedelta(microseconds=1)),
}


@pytest.mark.parametrize("who", LEFT_OUT)
def test_others_are_left_out(session, who):
    add(session, LEFT_OUT[who])
    found = live_visits(session, AT)
    assert (found.visits, found.sessions, found.without_session, sum(found.minutes), found.paths) == (0, 0, 0, 0, [])


def test_the_most_opened_paths_are_named_alone(session):
    rows = [visit(number, NOON, f"/no-page-{number % 12:02}", f"s{number}") for number in range(24)]
    add(session, *rows, visit(99, NOON, "/no-page-11", "z"))
    found = live_visits(session, AT)
    assert len(found.paths) == MAX_PATHS
    assert found.paths[:2] == [("/no-page-11", 3), ("/no-page-00", 2)]

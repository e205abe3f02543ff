"""The report of served pages, and what overview and the last minutes show of it."""

from datetime import timedelta

import pytest

from domain.reports.sale_reports.overview import OVERVIEW_WITH_SALES
from domain.reports.visit_reports.figures import definitions
from domain.reports.visit_reports.live import live_visits
from domain.reports.visit_reports.served_report import FIGURES, seen_text
from tests.domain.reports.report_worlds import NOON, ask, compute, figures
from tests.domain.visits.days.test_served_days import BLANK, counted, seen
from tests.domain.visits.days.worlds import add, visit

KEYS = ("served", "seen", "seenShare")


def fill(database, *rows):
    with database.write_session() as session:
        add(session, *[{**BLANK, **row} for row in rows])
    compute(database)


def totals(answer):
    return tuple(answer.totals[key] for key in KEYS)


@pytest.mark.each_database
def test_all_is_listed_by_class_and_a_class_by_day(database):
    day = timedelta(days=1)
    fill(database, counted(1, NOON, browser=8, search=3), counted(2, NOON + day, browser=2), seen(3), seen(4))
    by_class, browsers = ask(database, "served"), ask(database, "served", f="class:browser")
    assert figures(by_class, *KEYS) == {"Browsers": (10, 2, 20.0), "Search engines": (3, 0, 0.0)}
    assert figures(browsers, *KEYS) == {"March 2, 2026": (8, 2, 25.0), "March 3, 2026": (2, 0, 0.0)}
    assert (totals(by_class), totals(browsers)) == ((13, 2, 15.4), (10, 2, 20.0))
    assert by_class.notes == ["Served pages are counted since March 2, 2026."]
    assert [None if sums is None else sums["served"] for sums in by_class.series.values] == [None, 11, 2, 0, 0, 0]
    chosen = ask(database, "served", f="class:search")
    assert (totals(chosen), chosen.chosen_label) == ((3, 0, 0.0), "Search engines")


def test_the_overview_shows_what_was_served_to_whom_it_is_about(database):
    fill(database, counted(1, NOON, browser=8, search=3, seo=1, program=2), seen(3))
    found = {audience: totals(ask(database, "overview", audience=audience)) for audience in ("people", "suspected")}
    assert found == {"people": (8, 1, 12.5), "suspected": (2, 0, 0.0)}
    assert totals(ask(database, "overview", audience="crawlers")) == (4, 0, 0.0)
    assert seen_text(ask(database, "overview"), "served") == "1 seen by script (12.5%)"


def test_a_whole_earlier_period_is_compared_and_none_from_before_counting(database):
    fill(database, counted(1, NOON, browser=8), counted(2, NOON + timedelta(days=1), browser=4), seen(3))
    later = {"from": "2026-03-03", "to": "2026-03-03"}
    found = ask(database, "overview", **later)
    assert (totals(found), found.previous["served"]) == ((4, 0, 0.0), 8)
    assert ask(database, "overview", **{"from": "2026-03-02", "to": "2026-03-02"}).previous is None


def test_nothing_is_shown_where_nothing_was_counted(database):
    fill(database, visit(1, NOON))
    assert totals(ask(database, "overview")) == (None, None, None)
    assert ask(database, "served").empty.startswith("No served page has been counted yet.")
    fill(database, counted(2, NOON, browser=1))
    early = ask(database, "served", **{"from": "2026-03-01", "to": "2026-03-01"})
    assert early.empty == "Served pages are counted since March 2, 2026: choose later days."


def test_the_last_minutes_compare_whole_minutes_and_count_no_row_as_a_visit(session):
    minute = timedelta(minutes=1)
    rows = (counted(1, NOON - minute, browser=5), counted(2, NOON, browser=7), seen(3, "/"), counted(5, NOON, search=1))
    add(session, *[{**BLANK, **row} for row in (*rows, {**seen(4), "visited_at": NOON - minute})])
    found = live_visits(session, NOON + timedelta(seconds=30))
    assert (found.visits, found.served, found.seen) == (2, 5, 1)
    # The counts of a minute are on their way for some seconds.
    assert live_visits(session, NOON + timedelta(seconds=5)).served == 0


def test_the_worked_examples_are_what_the_report_computes(database):
    texts = definitions()
    assert set(FIGURES) <= set(OVERVIEW_WITH_SALES.figures)
    share = FIGURES["seenShare"].compute({"served": 10_400, "seen": 9_100})
    assert (share, "Served 10,400, seen by script 9,100: 87.5%" in texts["seenShare"].example) == (87.5, True)
    fill(database, counted(1, NOON, browser=1, search=2))
    assert totals(ask(database, "served")) == (3, 0, 0.0)
    assert "3 pages served, 1 of them to a browser" in texts["served"].example

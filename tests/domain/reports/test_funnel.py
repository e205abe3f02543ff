"""The funnel: its steps, what is lost at each, and by channel and device."""

from datetime import timedelta

import pytest

from domain.reports.all_reports import SOURCES
from domain.reports.sale_reports.figures import STEPS
from domain.reports.visit_reports.parameters import read_parameters
from tests.domain.reports.report_worlds import LATER, MINUTE, NOON, ask, compute, figures, labels, sell
from tests.domain.reports.test_visit_reports import AFTER, BERLIN, DAYS, START, period
from tests.domain.reports.test_visit_reports import ask as ask_visits
from tests.domain.reports.test_visit_reports import fill as fill_month
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

GOOGLE = {"referrer": "https://www.google.com/"}
PHONE = {"agent": "Mobile Safari"}


def fill(database) -> None:
    """Four sessions: one pays, one gets to the checkout, one sees a course, one the home page alone."""
    course = "/course-details?course=vat-basics"
    with database.write_session() as session:
        factories.course(session, factories.category(session).id, "vat-basics")
        learner = factories.learner(session).id
        ways = {"a": ("/", course, "/cart", "/checkout"), "b": ("/checkout",), "c": (course,), "d": ("/",)}
        number = 0
        for name, urls in ways.items():
            for place, url in enumerate(urls):
                number += 1
                about = {**(GOOGLE if name in "ab" and not place else {}), **(PHONE if name == "d" else {})}
                person = {"learner_id": learner if name == "a" else None}
                add(session, visit(number, NOON + place * MINUTE, url, name, **about, **person))
        sell(session, learner, "A", NOON + 5 * MINUTE)
    compute(database)


@pytest.mark.each_database
def test_each_step_says_how_many_got_there_and_how_many_were_lost(database):
    fill(database)
    found = ask(database, "funnel")
    assert figures(found, "sessions", "ofAll", "lost", "lossRate") == {
        "Visit": (4, 100.0, None, None),
        "Product": (3, 75.0, 1, 25.0),
        "Cart": (2, 50.0, 1, 33.3),
        "Checkout": (2, 50.0, 0, 0.0),
        "Order": (1, 25.0, 1, 50.0),
        "Payment": (1, 25.0, 0, 0.0),
    }
    assert (found.series.labels, [point["sessions"] for point in found.series.values]) == (
        list(STEPS.values()),
        [4, 3, 2, 2, 1, 1],
    )
    assert (found.totals["conversion"], labels(found)) == (25.0, list(STEPS.values()))


def test_rows_by_channel_and_device_name_the_step_with_the_greatest_loss(database):
    fill(database)
    by_channel = ask(database, "funnel", by="channel")
    columns = (*STEPS, "conversion")
    assert figures(by_channel, *columns) == {
        "Search engines": (2, 2, 2, 2, 1, 1, 50.0),
        "Direct": (2, 1, 0, 0, 0, 0, 0.0),
    }
    assert [row.words["greatest"] for row in by_channel.rows] == ["Product to cart: 100%", "Checkout to order: 50%"]
    assert figures(ask(database, "funnel", by="device"), "sessions") == {"Computer": (3,), "Phone or tablet": (1,)}


def test_the_steps_of_one_channel_are_those_of_its_row(database):
    fill(database)
    found = ask(database, "funnel", of="channel:search")
    assert [row.figures["sessions"] for row in found.rows] == [2, 2, 2, 2, 1, 1]
    by_channel = ask(database, "funnel", of="channel:search", by="channel")
    assert (by_channel.totals["sessions"], "Rows by channel and device are of all sessions." in by_channel.notes) == (
        4,
        True,
    )


def test_steps_never_grow_and_are_those_of_the_report_of_sources(database):
    """Over a generated month, by every channel."""
    fill_month(database)
    span = period(START, START + timedelta(days=DAYS - 1))
    of_visits = {row.key: row.figures for row in ask_visits(database, "sources", **span).rows}
    found = ask(database, "funnel", AFTER, BERLIN, by="channel", **span)
    assert len(found.rows) > 5
    for row in found.rows:
        counts = [row.figures[key] for key in STEPS]
        assert counts == sorted(counts, reverse=True)
        assert {key: row.figures[key] for key in STEPS} == {key: of_visits[row.key][key] for key in STEPS}


def test_without_sessions_it_says_so(database):
    assert (ask(database, "funnel").empty, ask(database, "funnel").rows) == (None, [])
    fill(database)
    span = {"from": "2026-03-03", "to": "2026-03-03"}
    assert ask(database, "funnel", **span).empty == "No sessions were counted in these days."


def test_steps_cannot_be_chosen_as_a_value():
    report, values = SOURCES["funnel"].report, {"of": "channel:nobody"}
    _, errors = read_parameters(report, values, LATER.date(), ["step:carts"])
    assert sorted(errors) == ["f", "of"]

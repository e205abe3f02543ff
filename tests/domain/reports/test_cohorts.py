"""Cohorts: who bought for the first time when, and who came back."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.reports.sale_reports.cohorts import SMALL
from domain.visits.raw.local_days import DayRules
from tests.domain.reports.report_worlds import HOUR, MINUTE, ask, compute, figures, labels, sell
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories

AT = datetime(2026, 4, 20, 12, tzinfo=UTC)
SPAN = {"from": "2025-05-10", "to": "2026-04-20"}
DAY = timedelta(days=1)


def day(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}T12:00:00+00:00")


def fill(database, *histories: tuple[str, ...], visits: Iterable[dict[str, Any]] = (), **about) -> None:
    """The days of the orders of each learner."""
    with database.write_session() as session:
        for number, days in enumerate(histories):
            learner = factories.learner(session, f"Learner {number}").id
            for place, text in enumerate(days):
                sell(
                    session,
                    learner,
                    f"{number}X{place}".translate(str.maketrans("0123456789", "QWERTYUPAS")),
                    day(text),
                    **about,
                )
        add(session, *visits)
    compute(database, AT)


@pytest.mark.each_database
def test_a_cell_is_the_share_that_bought_so_many_months_later(database):
    fill(database, ("01-31", "02-01", "02-03"), ("01-01", "04-02"), ("02-28", "03-01"), ("04-05",))
    found = ask(database, "cohorts", AT, **SPAN)
    cells = ("learners", "netEach", "after1", "after2", "after3", "after4")
    assert labels(found) == ["Apr 2026", "Feb 2026", "Jan 2026"]
    assert figures(found, *cells) == {
        "Jan 2026": (2, 25_000, 50.0, 0.0, 50.0, None),
        "Feb 2026": (1, 20_000, 100.0, 0.0, None, None),
        "Apr 2026": (1, 10_000, None, None, None, None),
    }
    # Three of four people: one of them is no trend, so the page says of how many.
    assert found.rows[2].instead == {"after1": "1 of 2", "after2": "0 of 2", "after3": "1 of 2"}
    assert found.totals == {"learners": 4, "bought": 75.0, "netEach": 20_000}


def test_from_ten_learners_on_a_cell_is_a_share(database):
    fill(database, *[("01-05", "02-01")] * 4, *[("01-06",)] * (SMALL - 4))
    row = ask(database, "cohorts", AT, **SPAN).rows[0]
    assert (row.figures["learners"], row.figures["after1"], row.instead) == (SMALL, 40.0, {})


def test_a_cohort_is_of_a_whole_month_and_of_the_first_order_of_all(database):
    """The first of the two bought in December already; the second on a day before the period."""
    fill(database, ("02-02",), ("02-01",))
    with database.write_session() as session:
        sell(session, 1, "EARLY", datetime(2025, 12, 1, tzinfo=UTC), changed_at=AT)
    compute(database, AT + HOUR)
    found = ask(database, "cohorts", AT, **{"from": "2026-02-10", "to": "2026-04-20"})
    assert figures(found, "learners") == {"Feb 2026": (1,)}


def test_weeks_begin_on_monday(database):
    fill(database, ("03-01", "03-09"), ("03-02", "03-15"))
    found = ask(database, "cohorts", AT, by="week", **SPAN)
    assert figures(found, "learners", "after1", "after2") == {
        "March 2, 2026": (1, 100.0, 0.0),
        "February 23, 2026": (1, 0.0, 100.0),
    }
    assert (found.series.each, len(found.series.labels)) == ("week", 51)


def test_an_hour_before_midnight_of_utc_is_the_next_month_in_berlin(database):
    with database.write_session() as session:
        sell(session, factories.learner(session).id, "A", datetime(2026, 3, 31, 22, 30, tzinfo=UTC))
    for zone, label in (("UTC", "Mar 2026"), ("Europe/Berlin", "Apr 2026")):
        compute(database, AT, DayRules(zone))
        assert labels(ask(database, "cohorts", AT, DayRules(zone), **SPAN)) == [label]


def test_net_is_of_one_currency_and_a_buyer_of_another_counts_as_one(database):
    fill(database, ("01-05", "02-01"))
    with database.write_session() as session:
        sell(session, factories.learner(session, "Yen").id, "YEN", day("01-09"), currency="JPY", changed_at=AT)
    compute(database, AT + HOUR)
    dollars, yen = (ask(database, "cohorts", AT + HOUR, currency=code, **SPAN) for code in ("USD", "JPY"))
    assert figures(dollars, "learners", "netEach") == {"Jan 2026": (2, 10_000)}
    assert figures(yen, "learners", "netEach") == {"Jan 2026": (2, 5_000)}


def test_rows_are_by_the_first_channel_where_it_is_known(database):
    at = day("04-05") - HOUR
    visits = (
        visit(1, at, "/?utm_source=news&utm_medium=email", "a", learner_id=1),
        visit(2, at + 40 * MINUTE, "/", "b", learner_id=1),
        visit(3, day("04-06") + HOUR, "/", "c", learner_id=2),
    )
    fill(database, ("04-05",), ("04-06",), visits=visits)
    found = ask(database, "cohorts", AT, by="channel", **SPAN)
    assert figures(found, "learners") == {"Email": (1,), "Not measured": (1,)}


def test_a_month_without_a_first_order_says_so(database):
    found = ask(database, "cohorts", AT, **SPAN)
    assert (found.rows, found.empty, found.totals["bought"]) == (
        [],
        "In these months nobody paid for a first order.",
        None,
    )

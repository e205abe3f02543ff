"""The visits to the page of one product by month, on both databases."""

from datetime import date, timedelta

import pytest

from domain.tables import VisitDay, VisitRollup
from domain.visits.days.figures import NAMES
from domain.visits.product_visits import months_of
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

TODAY = date(2026, 3, 5)
NO_FIGURES = dict.fromkeys(NAMES, 0)


def add(session, day, visits, **key):
    place = {"site": 0, "dimension": "product", "audience": "people", "key": "7", **key}
    session.add(VisitDay(**place, day=day, **{**NO_FIGURES, "visits": visits}))


def compute(session, *days):
    for day in days:
        session.add(VisitRollup(site=0, day=day, built_at=NOON))


def test_visits_of_people_are_summed_up_by_month_the_running_one_included(session):
    compute(session, date(2025, 4, 1), TODAY)
    for day, visits in ((date(2025, 4, 1), 3), (date(2025, 4, 30), 4), (TODAY, 5)):
        add(session, day, visits)
    months = months_of(session, 7, TODAY)
    assert [month.month for month in months][::11] == ["2025-04", "2026-03"]
    assert [month.visits for month in months] == [7, *[0] * 10, 5]


def test_other_products_crawlers_pages_sites_and_days_count_nothing(session):
    compute(session, date(2025, 1, 1))
    add(session, TODAY, 1, key="8")
    add(session, TODAY, 1, audience="crawlers")
    add(session, TODAY, 1, dimension="path")
    add(session, TODAY, 1, site=1)
    add(session, date(2025, 3, 31), 1)
    add(session, TODAY + timedelta(days=1), 1)
    assert {month.visits for month in months_of(session, 7, TODAY)} == {0}


def test_months_before_the_first_computed_day_have_no_number(session):
    assert [month.visits for month in months_of(session, 7, TODAY)] == [None] * 12
    compute(session, date(2026, 2, 10))
    session.add(VisitRollup(site=0, day=date(2025, 12, 1)))
    assert [month.visits for month in months_of(session, 7, TODAY)] == [None] * 10 + [0, 0]

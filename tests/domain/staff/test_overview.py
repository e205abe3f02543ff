"""The first page of the staff: what waits for whom, and the figures of fourteen days."""

from datetime import timedelta
from uuid import uuid4

import pytest

from domain.permissions import Permission
from domain.staff import overview
from domain.staff.overview import WaitingCount
from domain.tables import DeadLetter, Visit
from tests.support import factories, order_rows
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database


def test_what_waits_is_counted_for_those_who_may_deal_with_it(session):
    for slug, state in (("one", "submitted"), ("two", "information"), ("three", "approved")):
        factories.organisation(session, slug, state=state)
    session.add(DeadLetter(failed_at=NOON, task="visits.store", body={}, error="x"))
    assert overview.waiting(session, [Permission.ORGANISATIONS_READ], NOON, 0) == [WaitingCount("applications", 2)]
    assert overview.waiting(session, [Permission.MAIL_REPLAY, Permission.MAIL_READ], NOON, 0) == [
        WaitingCount("visits", 1)
    ]
    assert overview.waiting(session, [], NOON, 0) == []


def test_orders_and_visits_are_counted_by_the_day_they_came(session):
    ada = factories.learner(session).id
    for number, days in enumerate((0, 0, 13, 14)):
        at = NOON - timedelta(days=days)
        order_rows.order(session, ada, "BCDF"[number] * 20, total_minor=1000 + number, paid_at=at)
        for visitor in ("human", "crawler"):
            session.add(Visit(event_id=str(uuid4()), visited_at=at, visitor_class=visitor))
    session.flush()
    order_rows.order(session, ada, "K" * 20, total_minor=500_000, paid_at=NOON, currency="JPY")
    days = overview.last_days(session, NOON, "USD")
    assert [(day.orders, day.sales, day.visits) for day in days] == [(1, 1002, 1), *[(0, 0, 0)] * 12, (3, 2001, 2)]
    assert (days[0].day, days[-1].day) == ((NOON - timedelta(days=13)).date(), NOON.date())

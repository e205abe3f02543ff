"""Lists of quotes, with their states at a time, and one organisation's apart from others."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.database.list_page import ListQuery, of_tenant, read_list_page
from domain.quotes import lapsing
from domain.quotes.quote_views import all_quotes, organisation_quotes
from domain.tables import Order
from tests.domain.quotes.test_accepting import end_unpaid
from tests.domain.quotes.world import accept_quote, ask_quote, build
from tests.domain.seats.world import recorded
from tests.support.factories import NOON

AFTER = NOON + timedelta(days=40)


@pytest.fixture
def quotes(session):
    """An organisation with a quote in each state, beside another one with a quote."""
    world = build(session)
    paid, unpaid, withdrawn, _ = [ask_quote(session, world) for _ in range(4)]
    order = session.get_one(Order, accept_quote(session, world, unpaid).order_id)
    end_unpaid(session, order)
    accept_quote(session, world, paid)
    recorded(session, lapsing.withdraw, world.tenant, withdrawn.id, NOON)
    other = build(session, "rival", "payroll")
    ask_quote(session, other)
    return world


def listed(session, source, **filters) -> list[tuple[str, str]]:
    page = read_list_page(session, source, ListQuery(50, filters=filters))
    assert page.total == len(page.rows)
    return [(row.number[-1], row.state) for row in page.rows]


@pytest.mark.each_database
def test_states_follow_from_the_time_and_from_what_became_of_the_order(session, quotes):
    now, later = (of_tenant(organisation_quotes(lambda at=at: at), quotes.tenant) for at in (NOON, AFTER))
    assert listed(session, now) == [("4", "open"), ("3", "withdrawn"), ("2", "open"), ("1", "accepted")]
    assert listed(session, later) == [("4", "expired"), ("3", "withdrawn"), ("2", "expired"), ("1", "accepted")]
    assert listed(session, now, state="open") == [("4", "open"), ("2", "open")]
    assert listed(session, now, state="expired") == []
    assert listed(session, later, state="expired") == [("4", "expired"), ("2", "expired")]
    assert listed(session, later, state="accepted") == [("1", "accepted")]
    assert listed(session, later, state="withdrawn") == [("3", "withdrawn")]


def test_staff_see_all_by_organisation_or_number(session, quotes):
    everything = all_quotes(lambda: NOON)
    assert [number for number, _ in listed(session, everything)] == ["5", "4", "3", "2", "1"]
    assert listed(session, everything, organisation="riv") == [("5", "open")]
    number = session.scalars(select(Order.quote_number).where(Order.quote_number != "").order_by(Order.id)).first()
    assert listed(session, everything, organisation=number.lower()) == [("2", "open")]

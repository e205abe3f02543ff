"""Orders that wait for a bank transfer: placed, shown, reminded of, cancelled and expired, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.account import open_purchases
from domain.checkout import seat_purchase
from domain.errors import InvalidInput
from domain.orders import events, expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context, OrderSettings
from domain.orders.views.order import order_view
from domain.orders.views.status import status_view
from domain.payments import checks, polling
from domain.permissions import Tenant
from domain.tables import Order, Outbox
from tests.domain.payments.transfers.world import (
    CONTEXT,
    LATE,
    SETTINGS,
    awaited,
    book,
    entries,
    entry,
    kinds,
    mails,
    payment,
    placed,
)
from tests.domain.seats.test_seat_orders import TERMS, form
from tests.domain.seats.world import build
from tests.domain.seats.world import states as seat_states
from tests.support import factories
from tests.support.factories import NOON


@pytest.mark.each_database
def test_an_order_waits_for_its_transfer_without_seats_and_without_a_page(session):
    found = awaited(session)
    order, row = found.order, payment(session, found.order)
    # A tick later than the order's first event.
    until = NOON + timedelta(days=14) + events.TICK
    assert (order.state, order.open_learner_id, order.reserved_until) == ("processing", None, until)
    assert (row.gateway, row.state, row.amount_minor, row.session_id, row.poll_at) == (
        *("transfer", "processing", 7_500),
        *(None, None),
    )
    assert row.intent_id is not None
    assert row.intent_id.endswith(order.code)
    assert kinds(session, order) == ["place", "await_transfer"]
    assert [state for _, state, _ in seat_states(session, found.world.contract)] == ["free"]
    due = session.execute(select(Outbox.kind, Outbox.next_at).where(Outbox.topic == "mail")).all()
    assert [tuple(mail) for mail in due] == [
        ("mail.transfer_due", NOON + events.TICK),
        ("mail.transfer_reminder", NOON + timedelta(days=11) + events.TICK),
    ]


@pytest.mark.each_database
def test_no_gateway_is_asked_about_a_transfer(session):
    order = awaited(session).order
    assert checks.due(session, order.learner_id, order.code, LATE.at) is None
    assert polling.lease_due(session, LATE.at, 10) == []
    assert polling.lease_pages(session, [order.id], LATE.at) == []


@pytest.mark.each_database
def test_the_same_form_is_one_order_and_another_way_to_pay_another_one(session):
    found = awaited(session)
    buyer, tenant = found.order.learner_id, Tenant(found.world.organisation)
    again = form(found.world, buyer, by_transfer=True)
    same = seat_purchase.place_seats(session, tenant, again, TERMS, CONTEXT)
    assert (same.code, same.is_new, same.payment_id) == (found.order.code, False, None)
    by_card = seat_purchase.place_seats(session, tenant, form(found.world, buyer, key="k2"), TERMS, CONTEXT)
    assert (by_card.is_new, by_card.state) == (True, "placed")
    assert found.order.state == "processing"


def test_a_shop_without_an_account_takes_no_transfer(session):
    world = build(session, seats=1, seat_price=25, is_self_service=True)
    buyer = factories.learner(session, "Olga Owner").id
    wanted = form(world, buyer, by_transfer=True)
    with pytest.raises(InvalidInput) as refused:
        seat_purchase.place_seats(session, Tenant(world.organisation), wanted, TERMS, Context(NOON, OrderSettings()))
    assert refused.value.errors == {"payment": seat_purchase.NO_TRANSFER}


def test_its_buyer_sees_account_reference_amount_and_day(session):
    order = awaited(session).order
    view = order_view(session, order.learner_id, order.code, NOON, SETTINGS)
    assert view.transfer is not None
    assert dict(view.transfer.account)["IBAN"] == "DE89 3704 0044 0532 0130 00"
    assert (view.transfer.due, view.transfer.received, view.transfer.code) == (7_500, 0, None)
    assert (view.state_text, view.can_pay, view.can_cancel) == ("Waiting for your bank transfer", False, True)
    status = status_view(session, order.learner_id, order.code, NOON, SETTINGS)
    assert status.next_step == view.next_step
    assert view.transfer.reference in status.next_step
    assert "$75.00" in status.next_step
    assert not status.is_settling


@pytest.mark.each_database
def test_an_order_that_is_not_paid_in_time_ends_and_its_part_waits_for_a_decision(session):
    found = awaited(session)
    order = found.order
    assert book(session, found.job_id, entry(order, "50.00")) == ["part"]
    due = DueOrder(order.id, order.learner_id)
    assert expiry.expire(session, due, CONTEXT) is False
    assert [row.id for row in expiry.due(session, LATE.at, 10, NOON)] == [order.id]
    assert expiry.expire(session, due, LATE) is True
    assert (order.state, payment(session, order).state) == ("expired", "expired")
    assert entries(session) == [("open", "ended", 5_000, 0, 0)]
    assert "payments.expire" not in session.scalars(select(Outbox.kind)).all()
    view = order_view(session, order.learner_id, order.code, LATE.at, SETTINGS)
    assert (view.state_text, view.transfer) == ("Expired", None)


@pytest.mark.each_database
def test_its_buyer_can_cancel_an_order_that_waits(session):
    order = awaited(session).order
    assert open_purchases.first_refusal(session, order.learner_id) == open_purchases.TRANSFER.format(code=order.code)
    assert expiry.cancel_own(session, order.learner_id, order.code, CONTEXT) is None
    assert (order.state, kinds(session, order)[-1]) == ("cancelled", "cancel_transfer")
    assert open_purchases.first_refusal(session, order.learner_id) is None


def test_a_debit_cannot_be_cancelled_all_the_same(session):
    order = awaited(session).order
    payment(session, order).gateway = "stripe"
    session.flush()
    assert expiry.cancel_own(session, order.learner_id, order.code, CONTEXT) == expiry.NOT_CANCELLED["processing"]


def test_two_orders_of_one_buyer_may_wait_at_once(session):
    world = build(session, seats=1, seat_price=25, is_self_service=True)
    first = placed(session, world)
    wanted = form(world, first.learner_id, by_transfer=True, key="k2", quantity=2)
    second = seat_purchase.place_seats(session, Tenant(world.organisation), wanted, TERMS, CONTEXT)
    states = session.scalars(select(Order.state).where(Order.code.in_([first.code, second.code]))).all()
    assert states == ["processing", "processing"]
    assert mails(session).count("transfer_due") == 2

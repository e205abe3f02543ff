"""Withdrawing from a contract: the receipt, and the refund request that follows."""

import pytest
from sqlalchemy import select

from contracts.payloads import OrderItem, encode
from contracts.tasks import OutboxKind
from domain import mail as domain_mail
from domain.checkout.priced import RequestedItem
from domain.mail import MailSite
from domain.orders import events, shipping
from domain.orders.refunds import withdrawal
from domain.orders.settings import Context
from domain.outbox.leases import Lease
from domain.tables import Refund
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import SETTINGS, SOON, mails, paid
from tests.domain.orders.refunds.buying import ref as ref_of
from tests.domain.orders.selling import LATER

SITE = MailSite("Meridian", "https://shop.example", "staff@shop.example", has_withdrawal=True)


@pytest.fixture
def world(session):
    return selling.fill(session)


@pytest.fixture
def order(session, world):
    """A course of 40.00 and three books of 15.00, with delivery of 5.00."""
    return paid(session, world, RequestedItem(world.course), RequestedItem(world.book, 3))


def declare(session, order):
    withdrawal.declare(session, ref_of(order), Context(SOON, SETTINGS))


def refunds(session):
    return [(row.reason, row.state, row.amount_minor) for row in session.scalars(select(Refund).order_by(Refund.id))]


@pytest.mark.each_database
def test_an_order_is_found_by_its_code_and_the_address_it_was_placed_with(session, order):
    assert withdrawal.find(session, f" {order.code.lower()} ", order.email.upper()) == ref_of(order)
    for code, email in ((order.code, "eve@example.test"), (order.code, ""), ("BADECUFIGOHAKELIMONA", order.email)):
        assert withdrawal.find(session, code, email) is None


@pytest.mark.each_database
def test_a_withdrawal_is_refunded_by_the_rules_of_requests_and_its_receipt_sent_each_time(session, order):
    for _ in range(2):
        declare(session, order)
    assert refunds(session) == [("withdrawal", "approved", 9000)]
    assert mails(session)[-2:] == ["withdrawal_received", "withdrawal_received"]
    assert [event.kind for event in events.timeline(session, order.id)].count("withdrawal_declared") == 1


def test_what_was_sent_waits_for_a_person_and_staff_are_told(session, order):
    shipping.ship(session, ref_of(order), "command", LATER)
    declare(session, order)
    assert refunds(session) == [("withdrawal", "requested", 9000)]
    assert mails(session)[-2:] == ["staff_refund_requested", "withdrawal_received"]


def test_the_receipt_names_order_and_time(session, order):
    declare(session, order)
    body = encode(OrderItem(order_id=order.id))
    lease = Lease(7, OutboxKind.WITHDRAWAL_RECEIVED, body, SOON, 1, "token")
    mail = domain_mail.compose(session, lease, SITE)
    assert (mail.to, mail.values["order"]["code"]) == (order.email, order.code)
    assert mail.values["order"]["withdrawn_at"] == "March 2, 2026 at 12:05\N{NO-BREAK SPACE}PM UTC"
    assert mail.values["order"]["withdraw_link"] == f"https://shop.example/withdraw?order={order.code}"

"""What a learner reads of an order, and what may have happened to it before."""

from datetime import timedelta

from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.money import currency
from domain.orders import events, expiry
from domain.orders.expiry import DueOrder
from domain.orders.refunds import gateway_results, requests
from domain.orders.refunds.refund_rows import Part, RefundTerms, payment_of
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.orders.views import order as order_view
from domain.orders.views import status as order_status
from domain.payments.gateway import DisputeSnapshot
from domain.tables import Order, OrderLine, Refund
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.support.factories import NOON

HOUR = timedelta(hours=1)


def view(session, order, at=LATER):
    session.expire_all()
    return order_view.order_view(session, order.learner_id, order.code, at, SETTINGS)


def status(session, order, at=LATER):
    session.expire_all()
    return order_status.status_view(session, order.learner_id, order.code, at, SETTINGS)


def processing(session, order):
    selling.apply(session, order, selling.snapshot(order, payment="processing", paid_at=None))


def expired(session, order):
    due = DueOrder(order.id, order.learner_id)
    assert expiry.expire(session, due, Context(NOON + HOUR, SETTINGS))


def cancelled(session, order):
    assert expiry.cancel_own(session, order.learner_id, order.code, Context(LATER, SETTINGS)) is None


def debit_failed(session, order):
    processing(session, order)
    selling.apply(session, order, selling.snapshot(order, payment="failed", paid_at=None, failure="No funds."))


def disputed(session, order):
    selling.pay(session, order)
    order.disputed_at = LATER


def dispute_lost(session, order):
    selling.pay(session, order)
    total = order.total_minor
    dispute = DisputeSnapshot("dp_1", "closed", total, order.currency, LATER, "fraudulent", total, 1)
    selling.apply(session, order, selling.snapshot(order, disputes=(dispute,)))


def refund_approved(session, order):
    selling.pay(session, order)
    refund(session, order, 1)


def nothing(_session, _order):
    pass


def late(session, order):
    expired(session, order)
    session.query(OrderLine).filter_by(order_id=order.id).one()
    selling.buy(session, selling.another_learner(session).id, RequestedItem(order_item(session, order), 5), key="key-9")
    assert selling.pay(session, order, NOON + HOUR) == "late"


def late_refund_failed(session, order):
    late(session, order)
    fail(session, session.scalars(select(Refund).where(Refund.order_id == order.id)).one())


def refund_failed(session, order):
    """After the gateway had said that it succeeded."""
    selling.pay(session, order)
    row = refund(session, order, 1)
    gateway_results.accept(session, order, row, Context(LATER, SETTINGS))
    fail(session, row)


def part_refund_failed(session, order):
    """Refused by the gateway: nothing was taken back."""
    selling.pay(session, order)
    fail(session, refund(session, order, 1))


def refund_paid_manually(session, order):
    refund_failed(session, order)
    row = session.scalars(select(Refund).where(Refund.order_id == order.id)).one()
    gateway_results.pay_manually(session, order, row, "staff", Context(LATER, SETTINGS))


def fail(session, row):
    gateway_results.refuse(session, session.get_one(Order, row.order_id), row, "account closed", LATER)
    assert row.state == "failed"


def order_item(session, order):
    return session.query(OrderLine).filter_by(order_id=order.id).one().product_id


def refund(session, order, line_number, reason="request", quantity=1):
    line = session.query(OrderLine).filter_by(order_id=order.id, number=line_number).one()
    part = Part(line, share_of(line, quantity, currency(order.currency)))
    terms = RefundTerms(reason, events.LEARNER, payment_of(session, order), note="Wrong size")
    return requests.refund_lines(session, order, [part], terms, Context(LATER, SETTINGS))

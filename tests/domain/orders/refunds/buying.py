"""Paid orders whose terms are those of the policy, for tests of refunds."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.checkout.priced import RequestedItem
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_learner, by_staff
from domain.orders.refunds.by_learner import LearnerRefundRequest, RefundDecision
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.payments.gateway import Reference, RefundProgress, RefundSnapshot
from domain.tables import Document, Order, OrderLine, Outbox, Refund
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, Pricing, World

TERMS = {
    "course": {"days": 14, "from": "payment", "unless": "certificate"},
    "bundle": {"days": 14, "from": "payment", "unless": "certificate"},
    "download": {"days": 14, "from": "payment", "confirm": "deleted"},
    "voucher": {"days": 14, "from": "payment", "unless": "used"},
    "goods": {"days": 14, "from": "delivery", "confirm": "returned"},
    "withdrawn_days": 60,
}
SETTINGS = replace(selling.SETTINGS, refund_terms=TERMS)
SOON = LATER + timedelta(days=1)
RETURNED = frozenset({"returned"})


def paid(session: Session, world: World, *lines: RequestedItem, **about: Any) -> Order:
    """An order with these lines, with delivery of 5.00 unless `pricing` says otherwise."""
    order = selling.buy(session, world.learner, *lines, **{"pricing": Pricing(delivery_minor=500), **about})
    order.refund_terms = TERMS
    selling.pay(session, order)
    session.flush()
    return order


def ref(order: Order) -> OrderRef:
    return OrderRef(order.id, order.learner_id, order.currency)


def lines_of(session: Session, order: Order) -> list[OrderLine]:
    query = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.number)
    return list(session.scalars(query, execution_options={"populate_existing": True}))


def ask(session: Session, order: Order, units: dict[int, int], at: datetime = SOON, **about: Any) -> RefundDecision:
    key = about.pop("key", f"form-{order.code}-{at:%d%H%M%S}-{units}")
    request = LearnerRefundRequest(order.learner_id, order.code, key, units, **{"confirmed": RETURNED, **about})
    return by_learner.request_refund(session, order.id, request, Context(at, SETTINGS))


def by_command(session: Session, order: Order, at: datetime = SOON, **about: Any) -> Refund:
    refund = StaffRefund("command", "a reason", **about)
    return by_staff.refund_order(session, ref(order), refund, Context(at, SETTINGS))


def refunds(session: Session) -> list[Refund]:
    return list(session.scalars(select(Refund).order_by(Refund.id), execution_options={"populate_existing": True}))


def snapshot_of(order: Order, refund: Refund, state: RefundProgress = "succeeded", **about: Any) -> RefundSnapshot:
    reference = Reference("shop-1", order.code, 1, refund.number)
    facts: dict[str, Any] = {"reference": reference, **about}
    return RefundSnapshot(f"re_{refund.number}", state, refund.amount_minor, order.currency, SOON, **facts)


def answer(session: Session, order: Order, *states: str, at: datetime = SOON, **about: Any) -> None:
    """What the gateway has of the order's refunds, one state after another."""
    for state in states:
        snapshots = tuple(snapshot_of(order, refund, state, **about) for refund in refunds(session))
        selling.apply(session, order, selling.snapshot(order, refunds=snapshots), at=at)


def mails(session: Session) -> list[str]:
    rows = session.scalars(select(Outbox.kind).where(Outbox.topic == "mail").order_by(Outbox.id))
    return [kind.removeprefix("mail.") for kind in rows]


def credited(session: Session) -> list[int]:
    """The totals of the credit notes, the first one first."""
    query = select(Document).where(Document.kind == "credit_note").order_by(Document.id)
    return [row.body["total_minor"] for row in session.scalars(query)]

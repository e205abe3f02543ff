"""Settlement: what a payment is worth, from what the gateway was found to have. Webhook, return page, polling and
commands all end in `apply`.

It is monotone: the same snapshot again changes nothing, and an older one undoes nothing. So events may come twice, in
any order, and late.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain import fault_points
from domain.orders import events, notices, states
from domain.orders.locks import lock_order
from domain.orders.refunds import requests
from domain.orders.settings import Context, OrderSettings
from domain.payments import disputes, late_payments, returned_money
from domain.payments.gateway import Snapshot
from domain.tables import Order, Payment

Outcome = Literal["unchanged", "ignored", "settled", "processing", "failed", "closed", "late", "duplicate", "mismatch"]
# A payment only advances. One that failed or expired may still turn out to be paid, never the other way round.
RANK = {"new": 0, "open": 1, "processing": 2, "failed": 3, "expired": 3, "void": 3, "paid": 4}
log = logging.getLogger(__name__)


class PaymentLocks(Protocol):
    """A payment with what the locks need. Read it in a transaction of its own, before the gateway is called: the locks
    are then the first statements of the transaction that applies the snapshot."""

    @property
    def id(self) -> int: ...
    @property
    def order_id(self) -> int: ...
    @property
    def learner_id(self) -> int: ...


class Shop(Protocol):
    """`uid`: of this shop's database; what the gateway has for another one is not ours."""

    @property
    def uid(self) -> str: ...
    @property
    def settings(self) -> OrderSettings: ...


def apply(session: Session, payment: PaymentLocks, snapshot: Snapshot, shop: Shop, at: datetime) -> Outcome:
    """Bring payment and order up to what the gateway has, under the locks of the learner and the order.

    Money is kept only if it buys goods: a late, second or wrong payment is refunded in the same transaction.
    """
    order, context = lock_order(session, payment.learner_id, payment.order_id), Context(at, shop.settings)
    row = _lock_payment(session, payment.id)
    if (reason := _foreign(row, snapshot, shop)) is not None:
        log.warning("payment %s of order %s: a snapshot was ignored: %s", row.number, order.code, reason)
        return "ignored"
    outcome = _apply_state(session, order, row, snapshot, context)
    if row.state == "paid":
        returned_money.apply_refunds(session, order, row, snapshot.refunds, context)
        disputes.apply_disputes(session, order, row, snapshot.disputes, context)
    session.flush()
    fault_points.hit("settle.written")
    return outcome


def _lock_payment(session: Session, payment_id: int) -> Payment:
    query = select(Payment).where(Payment.id == payment_id).with_for_update()
    return session.scalars(query, execution_options={"populate_existing": True}).one()


def _foreign(payment: Payment, snapshot: Snapshot, shop: Shop) -> str | None:
    """Why a snapshot is not about this shop's money, None if it is."""
    if snapshot.reference is None or snapshot.reference.shop != shop.uid:
        return "it belongs to another shop"
    if payment.livemode is not None and snapshot.livemode != payment.livemode:
        return "it is of the gateway's other mode, test or live"
    return None


def _apply_state(session: Session, order: Order, payment: Payment, snapshot: Snapshot, context: Context) -> Outcome:
    state = _state_of(snapshot)
    if RANK[state] < RANK[payment.state]:
        return "unchanged"
    is_new = RANK[state] > RANK[payment.state]
    _store_facts(payment, snapshot)
    if not is_new:
        return "unchanged"
    payment.state = state
    # Whoever opens or closes the page now need not be waited for: the gateway has said what became of it.
    payment.lease_token = payment.leased_until = None
    if state == "open":
        return "unchanged"
    payment.poll_at = None if state != "processing" else payment.poll_at
    return HANDLERS[state](session, order, payment, snapshot, context)


def _state_of(snapshot: Snapshot) -> str:
    if snapshot.payment in ("paid", "processing"):
        return snapshot.payment
    if snapshot.state == "expired" or (snapshot.state == "complete" and snapshot.payment == "unpaid"):
        # The buyer of a complete session may still pay, at a till or by transfer, or never: they may pay otherwise too.
        return "expired"
    return "failed" if snapshot.payment == "failed" else "open"


def _store_facts(payment: Payment, snapshot: Snapshot) -> None:
    """What the gateway calls the parts of the payment, once it says so."""
    payment.session_id = payment.session_id or snapshot.session_id
    payment.intent_id = snapshot.intent_id or payment.intent_id
    payment.charge_id = snapshot.charge_id or payment.charge_id
    payment.method = (snapshot.method or payment.method)[:60]
    payment.failure = (snapshot.failure or payment.failure)[:255]
    payment.livemode = snapshot.livemode


def _begin(session: Session, order: Order, payment: Payment, _snapshot: Snapshot, context: Context) -> Outcome:
    _advance(session, order, "begin", payment, context)
    return "processing"


def _fail(session: Session, order: Order, payment: Payment, _snapshot: Snapshot, context: Context) -> Outcome:
    """A debit failed. While another payment of the order is under way or paid, this one does not matter."""
    others = select(Payment.id).where(Payment.order_id == order.id, Payment.id != payment.id)
    if session.scalar(others.where(Payment.state == "processing").limit(1)) is None:
        if order.state == "placed":
            # Nobody looked while the debit was under way.
            _advance(session, order, "begin", payment, context)
        _advance(session, order, "fail", payment, context)
    return "failed"


def _close(_session: Session, _order: Order, payment: Payment, _snapshot: Snapshot, _context: Context) -> Outcome:
    """The page takes no payment any more. The order stays until its own time is over."""
    payment.url = None
    return "closed"


def _pay(session: Session, order: Order, payment: Payment, snapshot: Snapshot, context: Context) -> Outcome:
    """Money came: it settles the order, or goes back."""
    payment.paid_at, payment.failure = snapshot.paid_at or context.at, ""
    expected = (payment.amount_minor, payment.currency)
    # What moved is what counts from now on, also for the amount that can be refunded.
    payment.amount_minor, payment.currency = snapshot.amount_minor, snapshot.currency
    session.flush()
    if wrong := _mismatch(order, payment, snapshot, expected):
        return _return_wrong(session, order, payment, wrong, context)
    if order.state in ("paid", "refunded"):
        return _return_second(session, order, payment, context)
    if not late_payments.settle(session, order, payment, context):
        return "late"
    returned_money.refund_owned_lines(session, order, payment, context)
    return "settled"


def _mismatch(order: Order, payment: Payment, snapshot: Snapshot, expected: tuple[int, str]) -> dict[str, Any]:
    """What of the snapshot is not what was asked for, for the order's event: {} when everything is right."""
    reference = snapshot.reference
    wrong: dict[str, Any] = {}
    if (snapshot.amount_minor, snapshot.currency) != expected:
        wrong |= {"amount_minor": snapshot.amount_minor, "currency": snapshot.currency}
        wrong |= {"expected_minor": expected[0], "expected_currency": expected[1]}
    if reference is None or (reference.order, reference.payment) != (order.code, payment.number):
        wrong |= {"order": None if reference is None else reference.order}
    if payment.session_id != snapshot.session_id:
        wrong |= {"session": snapshot.session_id}
    return wrong


def _return_wrong(session: Session, order: Order, payment: Payment, wrong: dict[str, Any], context: Context) -> Outcome:
    events.append(session, order, "mismatch", events.GATEWAY, context.at, {"payment": payment.number, **wrong})
    requests.return_payment(session, order, payment, "mismatch", context)
    notices.mail_order(session, OutboxKind.MISMATCH, order, context.at)
    return "mismatch"


def _return_second(session: Session, order: Order, payment: Payment, context: Context) -> Outcome:
    events.append(session, order, "paid_twice", events.GATEWAY, context.at, {"payment": payment.number})
    requests.return_payment(session, order, payment, "duplicate", context)
    return "duplicate"


def _advance(session: Session, order: Order, event: str, payment: Payment, context: Context) -> None:
    facts, settings = {"payment": payment.number}, context.settings
    states.advance(session, order, event, context.at, actor=events.GATEWAY, facts=facts, settings=settings)


Handler = Callable[[Session, Order, Payment, Snapshot, Context], Outcome]
HANDLERS: dict[str, Handler] = {"processing": _begin, "failed": _fail, "expired": _close, "paid": _pay}

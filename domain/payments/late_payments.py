"""Payments for orders that ended meanwhile, or that no longer have what they need: the order is filled after all, or
the money goes back in the same transaction."""

import logging
from datetime import datetime

from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain import cart, fault_points, reservations
from domain.orders import events, notices, states
from domain.orders.fulfilment import is_owned
from domain.orders.lines import lines_of, needed_reservations, product_ids
from domain.orders.refunds import requests
from domain.orders.settings import Context
from domain.reservations import OrderOwner, ReservationsMissing
from domain.tables import Order, Payment

log = logging.getLogger(__name__)


class NotAvailable(Exception):
    """Something that the order needs is gone. The text is for the log."""


def settle(session: Session, order: Order, payment: Payment, context: Context) -> bool:
    """Settle the order with this payment. What an order that has ended, or lacks something, needs is claimed anew.

    False: something is gone. Then nothing of the order has changed, and the payment is refunded. The savepoint makes
    that so: what was claimed before the missing piece is given back with it.
    """
    if order.state in ("placed", "processing"):
        try:
            with session.begin_nested():
                _advance(session, order, payment, context, is_late=False)
            return True
        except ReservationsMissing as error:
            log.error("order %s lacks reservations: %s", order.code, error)
    try:
        with session.begin_nested():
            claim_again(session, order, context.at)
            _advance(session, order, payment, context, is_late=True)
        return True
    except (NotAvailable, ReservationsMissing) as error:
        fault_points.hit("late.rolled_back")
        _return(session, order, payment, str(error), context)
        return False


def _advance(session: Session, order: Order, payment: Payment, context: Context, *, is_late: bool) -> None:
    facts = {"payment": payment.number, "amount_minor": payment.amount_minor, "late": is_late}
    states.advance(session, order, "settle", context.at, actor=events.GATEWAY, facts=facts, settings=context.settings)


def claim_again(session: Session, order: Order, at: datetime) -> None:
    """Claim everything that the order needs. Limits and what the learner owns count, windows of offers do not: the
    prices are those of the order. Raises NotAvailable."""
    if not order.email:
        raise NotAvailable("the buyer's account was deleted")
    if owned := [line.number for line in lines_of(session, order.id) if is_owned(session, order, line, at)]:
        raise NotAvailable(f"line {owned[0]}: owned by now")
    cart.lock_lines(session, order.learner_id, product_ids(session, order))
    needed = needed_reservations(session, order)
    reservations.lock(session, [resource for resource, _ in needed])
    line_ids = {reservations.order_line_key(order.id, line.id): line.id for line in lines_of(session, order.id)}
    for (resource, owner_key), quantity in needed.items():
        owner = OrderOwner(order.learner_id, order.id, line_ids.get(owner_key))
        refusal = reservations.claim(session, resource, owner, quantity, at)
        if refusal is not None:
            raise NotAvailable(f"{resource.kind} {resource.id}: {refusal.code}")


def _return(session: Session, order: Order, payment: Payment, why: str, context: Context) -> None:
    session.refresh(order)
    session.refresh(payment)
    events.append(
        session, order, "paid_late", events.GATEWAY, context.at, {"payment": payment.number, "missing": why[:200]}
    )
    refund = requests.return_payment(session, order, payment, "late", context)
    notices.mail_refund(session, OutboxKind.LATE_REFUNDED, refund, context.at)

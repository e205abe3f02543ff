"""Payments as they settle orders, also those that ended meanwhile or no longer have what they need: the order is filled
after all, or the money goes back in the same transaction."""

import logging
from datetime import datetime

from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain import fault_points
from domain.cart import lines as cart_lines
from domain.orders import events, notices, states
from domain.orders.fulfilment import is_owned
from domain.orders.lines import lines_of, needed_reservations, product_ids
from domain.orders.refunds import requests
from domain.orders.settings import Context
from domain.reservations import counters as reservation_counters
from domain.reservations import orders as reservation_orders
from domain.reservations import owners as reservation_owners
from domain.reservations.kinds import Resource
from domain.reservations.orders import ReservationsMissing
from domain.reservations.owners import OrderOwner
from domain.seats.orders import ContractEnded
from domain.tables import Order, Payment

OPEN = ("placed", "processing")
log = logging.getLogger(__name__)


class NotAvailable(Exception):
    """Something that the order needs is gone. The text is for the log."""


def settle(session: Session, order: Order, payment: Payment, context: Context) -> bool:
    """Settle the order with this payment. What an order that has ended, or lacks something, needs is claimed anew.

    False: something is gone. Then the payment is refunded, and an order that was still open ends, so that nobody pays
    for it again. The savepoint gives back what was claimed before the missing piece.
    """
    try:
        if order.state in OPEN and _settle_open(session, order, payment, context):
            return True
        with session.begin_nested():
            claim_again(session, order, context.at)
            _advance(session, order, payment, context, is_late=True)
        return True
    except (NotAvailable, ReservationsMissing, ContractEnded) as error:
        fault_points.hit("late.rolled_back")
        _return(session, order, payment, str(error), context)
        return False


def _settle_open(session: Session, order: Order, payment: Payment, context: Context) -> bool:
    """False for an order that lacks reservations. Raises ContractEnded."""
    try:
        with session.begin_nested():
            _advance(session, order, payment, context, is_late=False)
        return True
    except ReservationsMissing as error:
        log.error("order %s lacks reservations: %s", order.code, error)
        return False


def _advance(session: Session, order: Order, payment: Payment, context: Context, *, is_late: bool) -> None:
    facts = {"payment": payment.number, "amount_minor": payment.amount_minor, "late": is_late}
    states.advance(session, order, "settle", context.at, actor=events.GATEWAY, facts=facts, settings=context.settings)


def claim_again(session: Session, order: Order, at: datetime) -> None:
    """Claim everything that the order needs. Limits and what the learner owns count, windows of offers do not: the
    prices are those of the order. Raises NotAvailable."""
    if not order.email:
        raise NotAvailable("the buyer's account was deleted")
    lines = lines_of(session, order.id)
    if owned := [line.number for line in lines if is_owned(session, order, line, at)]:
        raise NotAvailable(f"line {owned[0]}: owned by now")
    in_cart = cart_lines.lines_in_cart(session, order.learner_id, product_ids(session, order))
    needed = needed_reservations(session, order)
    # The codes of the cart lines too, which leave the cart: of all coupons at once, after the stock.
    codes = [Resource("coupon", line.coupon_id) for line in in_cart if line.coupon_id is not None]
    reservation_counters.lock(session, [*codes, *(resource for resource, _ in needed)])
    line_ids = {reservation_owners.order_line_key(order.id, line.id): line.id for line in lines}
    for (resource, owner_key), quantity in needed.items():
        owner = OrderOwner(order.learner_id, order.id, line_ids.get(owner_key))
        refusal = reservation_orders.claim(session, resource, owner, quantity, at)
        if refusal is not None:
            raise NotAvailable(f"{resource.kind} {resource.id}: {refusal.code}")


def _return(session: Session, order: Order, payment: Payment, why: str, context: Context) -> None:
    session.refresh(order)
    session.refresh(payment)
    if order.state in OPEN:
        _end(session, order, payment, context)
    events.append(
        session, order, "paid_late", events.GATEWAY, context.at, {"payment": payment.number, "missing": why[:200]}
    )
    refund = requests.return_payment(session, order, payment, "late", context)
    notices.mail_refund(session, OutboxKind.LATE_REFUNDED, refund, context.at)


def _end(session: Session, order: Order, payment: Payment, context: Context) -> None:
    facts, settings = {"payment": payment.number}, context.settings
    states.advance(session, order, "expire", context.at, actor=events.SYSTEM, facts=facts, settings=settings)

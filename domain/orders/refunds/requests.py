"""Requests for refunds, and the decisions about them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, update
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.bank_transfers.account import TRANSFER
from domain.database.database import affected_rows
from domain.errors import Refused
from domain.orders import events, notices
from domain.orders.refunds.gateway_results import accept
from domain.orders.refunds.refund_rows import (
    Part,
    RefundTerms,
    advance_refund,
    facts_of,
    insert_refund,
    insert_with_lines,
    parts_of,
)
from domain.orders.settings import Context
from domain.seats import orders as seat_orders
from domain.tables import Order, OrderLine, Payment, Refund


def request(session: Session, order: Order, parts: Sequence[Part], terms: RefundTerms, at: datetime) -> Refund:
    """Write a refund that a person has to approve. No money is set aside yet."""
    refund = insert_with_lines(session, order, parts, terms, at)
    events.append(session, order, "refund_requested", terms.actor, at, facts_of(refund))
    # Who withdraws gets a receipt of that instead.
    to_buyer = () if terms.reason == "withdrawal" else (OutboxKind.REFUND_REQUESTED,)
    for kind in (*to_buyer, OutboxKind.STAFF_REFUND_REQUESTED):
        notices.mail_refund(session, kind, refund, at)
    return refund


def refund_lines(session: Session, order: Order, parts: Sequence[Part], terms: RefundTerms, context: Context) -> Refund:
    """A refund of parts of lines that needs no person's approval."""
    refund = insert_with_lines(session, order, parts, terms, context.at)
    approve(session, order, refund, terms.actor, context)
    return refund


def return_payment(session: Session, order: Order, payment: Payment, reason: str, context: Context) -> Refund:
    """Send back all of a payment that buys nothing: a late, second or wrong one (`reason`). The refund belongs to no
    line, so that no credit note follows."""
    terms = RefundTerms(reason, events.SYSTEM, payment)
    refund = insert_refund(session, order, payment.amount_minor, terms, context.at)
    approve(session, order, refund, terms.actor, context)
    return refund


def approve(session: Session, order: Order, refund: Refund, actor: str, context: Context) -> None:
    """Set the money aside and have it sent. Raises Refused when more would go back than came; the transaction is then
    rolled back."""
    require_waiting(refund)
    set_aside(session, order, refund)
    _take_seats(session, refund, context)
    advance_refund(refund, "approved", context.at)
    events.append(session, order, "refund_approved", actor, context.at, facts_of(refund))
    if refund.amount_minor and refund.payment_id is not None:
        # Somebody pays a transfer back by hand, and says so (failed_refunds.py).
        if session.get_one(Payment, refund.payment_id).gateway != TRANSFER:
            notices.send_refund(session, refund, context.at)
    else:
        # Nothing has to be sent for what cost nothing.
        advance_refund(refund, "succeeded", context.at)
        accept(session, order, refund, context)
    session.flush()


def approve_manually(session: Session, order: Order, refund: Refund, actor: str, context: Context) -> None:
    """Set the money aside; people pay it back outside the gateway. Raises as `approve`."""
    require_waiting(refund)
    set_aside(session, order, refund)
    _take_seats(session, refund, context)
    advance_refund(refund, "manual", context.at)
    events.append(session, order, "refund_paid_manually", actor, context.at, facts_of(refund))
    accept(session, order, refund, context)
    session.flush()


def decline(session: Session, order: Order, refund: Refund, actor: str, at: datetime) -> None:
    """Refuse a requested refund."""
    require_waiting(refund)
    advance_refund(refund, "declined", at)
    events.append(session, order, "refund_declined", actor, at, facts_of(refund))
    notices.mail_refund(session, OutboxKind.REFUND_DECLINED, refund, at)


def require_waiting(refund: Refund) -> None:
    """Raises Refused for a refund that nobody has to decide about."""
    if refund.state != "requested":
        raise Refused(f"This refund is {refund.state} already.")


def set_aside(session: Session, order: Order, refund: Refund) -> None:
    """Count the refund on its payment, its lines and the order, each by an UPDATE with the limit as its condition."""
    amount, parts = refund.amount_minor, parts_of(session, refund)
    if refund.payment_id is not None:
        is_left = (Payment.id == refund.payment_id, Payment.refunded_minor + amount <= Payment.amount_minor)
        counted = update(Payment).where(*is_left).values(refunded_minor=Payment.refunded_minor + amount)
        _require_one(affected_rows(session, counted))
    for part in parts:
        units = OrderLine.refunded_quantity + part.quantity
        refunded = OrderLine.refunded_minor + part.amount_minor
        tax = OrderLine.refunded_tax_minor + part.tax_minor
        within = and_(refunded <= OrderLine.total_minor, tax <= OrderLine.tax_minor, units <= OrderLine.quantity)
        counted = update(OrderLine).where(OrderLine.id == part.line_id, within)
        values = {"refunded_quantity": units, "refunded_minor": refunded, "refunded_tax_minor": tax}
        _require_one(affected_rows(session, counted.values(**values)))
    if parts:
        is_left = (Order.id == order.id, Order.refunded_minor + amount <= Order.total_minor)
        counted = update(Order).where(*is_left).values(refunded_minor=Order.refunded_minor + amount)
        _require_one(affected_rows(session, counted))
        session.refresh(order, ["refunded_minor"])


def _take_seats(session: Session, refund: Refund, context: Context) -> None:
    """Free seats go when their refund is approved: nobody can get them while the money is on its way. Raises Refused
    when fewer are free."""
    for part in parts_of(session, refund):
        line = session.get_one(OrderLine, part.line_id)
        if line.kind == seat_orders.KIND and part.quantity and not refund.keeps_access:
            seat_orders.take_free(session, line, part.quantity, context.at)


def _require_one(changed: int) -> None:
    if changed != 1:
        raise Refused("This has been refunded already.")

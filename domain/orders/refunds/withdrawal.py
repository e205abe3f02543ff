"""Withdrawing from a contract: a buyer in the Union declares it, with or without a sign-in, and gets a receipt at once.

What is left of a paid order becomes a refund request, once for each order: approved at once where the rules of other
requests say so, else a person decides, also about what the refund policy does not promise.
"""

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.money import currency
from domain.orders import events, notices
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refunds import requests
from domain.orders.refunds.by_learner import is_automatic
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.refund_rows import RefundTerms, payment_of
from domain.orders.refunds.refundable import automatic_minor, refundable
from domain.orders.settings import Context
from domain.tables import Order, Refund
from domain.tables.areas.person_keys import email_key

REASON = "withdrawal"


def find(session: Session, code: str, email: str) -> OrderRef | None:
    """The order with this code that was placed with this address."""
    columns = (Order.id, Order.learner_id, Order.currency, Order.email_key)
    row = session.execute(select(*columns).where(Order.code == code.strip().upper())).first()
    typed = email_key(email)
    return None if row is None or not typed or row.email_key != typed else OrderRef(*row[:3])


def declare(session: Session, ref: OrderRef, context: Context) -> None:
    """Record the declaration, have its receipt sent, and ask for the refund. A second one sends the receipt again."""
    order = lock_order(session, ref.learner_id, ref.id)
    if events.WITHDRAWN not in {event.kind for event in events.timeline(session, order.id)}:
        events.append(session, order, events.WITHDRAWN, events.LEARNER, context.at, {})
        if order.state == "paid":
            _ask(session, order, context)
    notices.mail_order(session, OutboxKind.WITHDRAWAL_RECEIVED, order, context.at)


def _ask(session: Session, order: Order, context: Context) -> Refund | None:
    rows = lines_of(session, order.id)
    left = {row.number: row.quantity - row.refunded_quantity for row in rows if row.kind == "product"}
    units = {number: quantity for number, quantity in left.items() if quantity}
    if not units:
        return None
    lines = [line for line in refundable(session, order, context) if line.number in units]
    parts = parts_of_units(rows, units, currency(order.currency))
    limit = automatic_minor(session, order, context)
    is_shipped = any(line.is_shipped for line in lines)
    terms = RefundTerms(REASON, events.LEARNER, payment_of(session, order), restocks=not is_shipped)
    is_plain = all(line.refusal is None and line.confirmation is None for line in lines)
    if limit is not None and is_plain and is_automatic(parts, limit):
        return requests.refund_lines(session, order, parts, terms, context)
    return requests.request(session, order, parts, terms, context.at)

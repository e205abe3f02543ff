"""Refunds of a payment that settled its order, also those made at the gateway itself."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.database.prepared_select import PreparedSelect, first_number
from domain.money import currency
from domain.orders import events, notices
from domain.orders.lines import lines_of
from domain.orders.refunds import gateway_results, requests
from domain.orders.refunds.chosen import parts_of_amount
from domain.orders.refunds.refund_rows import (
    OF_NO_LINE,
    Part,
    RefundTerms,
    advance_refund,
    insert_refund,
    insert_with_lines,
    refunds_of,
)
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.payments.gateway import RefundSnapshot
from domain.tables import Order, OrderLine, Payment, Refund

log = logging.getLogger(__name__)
_lines = OrderLine.__table__.c
# Nearly always there is none: then no ORM object is made.
_ENDED = PreparedSelect(
    select(_lines.id).where(
        _lines.order_id == bindparam("order"), _lines.ended_at.is_not(None), _lines.total_minor != 0
    ),
    first_number,
)


def refund_owned_lines(session: Session, order: Order, payment: Payment, context: Context) -> Refund | None:
    """Refund the lines that gave nothing, because the learner got their courses another way meanwhile."""
    if not _ENDED.all(session, order=order.id):
        return None
    lines = [line for line in lines_of(session, order.id) if line.ended_at is not None and line.total_minor]
    parts = [Part(line, share_of(line, line.quantity, currency(order.currency))) for line in lines]
    return requests.refund_lines(session, order, parts, RefundTerms("owned", events.SYSTEM, payment), context)


def apply_refunds(
    session: Session,
    order: Order,
    payment: Payment,
    snapshots: Sequence[RefundSnapshot],
    context: Context,
) -> None:
    """Store the state of each refund; one that was made at the gateway itself is recorded, shared over the lines."""
    for snapshot in sorted(snapshots, key=lambda snapshot: (snapshot.created_at, snapshot.id)):
        refund = find_refund(session, order, snapshot)
        if refund is not None:
            gateway_results.record(session, order, refund, snapshot, context)
        elif snapshot.state != "failed":
            _record_foreign(session, order, payment, snapshot, context)


def find_refund(session: Session, order: Order, snapshot: RefundSnapshot) -> Refund | None:
    """Ours, by the gateway's id, else by the number in its metadata."""
    refunds = refunds_of(session, order.id)
    by_id = next((refund for refund in refunds if refund.gateway_id == snapshot.id), None)
    reference = snapshot.reference
    if by_id is not None or reference is None or reference.order != order.code:
        return by_id
    return next((refund for refund in refunds if refund.number == reference.refund and not refund.gateway_id), None)


def _record_foreign(
    session: Session, order: Order, payment: Payment, snapshot: RefundSnapshot, context: Context
) -> None:
    terms = RefundTerms("gateway", events.GATEWAY, payment)
    lines = lines_of(session, order.id) if has_bought(session, payment) else []
    is_too_much = snapshot.amount_minor > payment.amount_minor - payment.refunded_minor
    if is_too_much or (lines and snapshot.amount_minor > sum(line.total_minor - line.refunded_minor for line in lines)):
        log.error("order %s: refund %s at the gateway is more than is left", order.code, snapshot.id)
        refund = insert_refund(session, order, snapshot.amount_minor, replace(terms, payment=None), context.at)
        advance_refund(refund, "approved", context.at)
        refund.gateway_id = snapshot.id
        notices.mail_order(session, OutboxKind.MISMATCH, order, context.at)
    else:
        parts = parts_of_amount(lines, snapshot.amount_minor, currency(order.currency))
        refund = insert_with_lines(session, order, parts, terms, context.at)
        refund.amount_minor = snapshot.amount_minor
        requests.set_aside(session, order, refund)
        advance_refund(refund, "approved", context.at)
        events.append(session, order, "refund_at_gateway", events.GATEWAY, context.at, {"refund": refund.number})
    gateway_results.record(session, order, refund, snapshot, context)


def has_bought(session: Session, payment: Payment) -> bool:
    """Whether the payment settled its order: it was not sent back as late, second or wrong."""
    returned = select(Refund.id).where(Refund.payment_id == payment.id, Refund.reason.in_(OF_NO_LINE))
    return session.scalar(returned.limit(1)) is None

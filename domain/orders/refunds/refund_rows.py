"""Rows of refunds: written once, and then only advanced."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.orders.refunds.shares import Share
from domain.tables import Order, OrderLine, Payment, Refund, RefundLine

# Refunds of payments that bought nothing.
OF_NO_LINE = ("late", "duplicate", "mismatch")
# A refund only advances: an older answer of the gateway changes nothing. One that succeeded may still fail.
RANK = {
    "requested": 0,
    "declined": 1,
    "approved": 1,
    "sent": 2,
    "pending": 3,
    "succeeded": 4,
    "failed": 5,
    "manual": 6,
}


@dataclass(frozen=True)
class Part:
    """What a refund takes back of a line."""

    line: OrderLine
    share: Share


@dataclass(frozen=True)
class RefundTerms:
    """Why and how money goes back. `reason` as in the table, `actor` as in order events; `payment`: whose money it is
    (None: nobody's); `note`: somebody's words; `form_key`: of the form that asked for it; `dispute_id`: of the dispute
    that moved it."""

    reason: str
    actor: str
    payment: Payment | None = None
    note: str = ""
    keeps_access: bool = False
    restocks: bool = False
    form_key: str | None = None
    dispute_id: str | None = None


def insert_refund(session: Session, order: Order, amount_minor: int, terms: RefundTerms, at: datetime) -> Refund:
    """A refund without lines, in the state requested."""
    last = session.scalar(select(func.max(Refund.number)).where(Refund.order_id == order.id)) or 0
    refund = Refund(
        order_id=order.id,
        payment_id=None if terms.payment is None else terms.payment.id,
        number=last + 1,
        amount_minor=amount_minor,
        tax_minor=0,
        state="requested",
        reason=terms.reason,
        note=terms.note,
        actor=terms.actor,
        key=f"{order.code}-r{last + 1}",
        form_key=terms.form_key,
        dispute_id=terms.dispute_id,
        keeps_access=terms.keeps_access,
        restocks=terms.restocks,
        requested_at=at,
        changed_at=at,
    )
    session.add(refund)
    session.flush()
    return refund


def insert_with_lines(
    session: Session, order: Order, parts: Sequence[Part], terms: RefundTerms, at: datetime
) -> Refund:
    """A refund of these parts of lines, in the state requested."""
    refund = insert_refund(session, order, sum(part.share.amount_minor for part in parts), terms, at)
    refund.tax_minor = sum(part.share.tax_minor for part in parts)
    for part in parts:
        session.add(RefundLine(refund_id=refund.id, line_id=part.line.id, **vars(part.share)))
    session.flush()
    return refund


def payment_of(session: Session, order: Order) -> Payment | None:
    """The payment that bought the order's lines; None for an order of nothing."""
    returned = select(Refund.payment_id).where(Refund.order_id == order.id, Refund.reason.in_(OF_NO_LINE))
    is_paid = (Payment.order_id == order.id, Payment.state == "paid")
    payments = session.scalars(select(Payment).where(*is_paid).order_by(Payment.number)).all()
    ids = set(session.scalars(returned))
    return next((payment for payment in payments if payment.id not in ids), None)


def parts_of(session: Session, refund: Refund) -> list[RefundLine]:
    query = select(RefundLine).where(RefundLine.refund_id == refund.id)
    return list(session.scalars(query.order_by(RefundLine.line_id)))


def refunds_of(session: Session, order_id: int) -> list[Refund]:
    query = select(Refund).where(Refund.order_id == order_id).order_by(Refund.number)
    return list(session.scalars(query, execution_options={"populate_existing": True}))


def advance_refund(refund: Refund, state: str, at: datetime) -> bool:
    """False, and nothing is changed, when the refund is in that state already or beyond it."""
    if RANK[state] <= RANK[refund.state]:
        return False
    refund.state, refund.changed_at = state, max(at, refund.changed_at)
    return True


def facts_of(refund: Refund) -> dict[str, Any]:
    """The facts in the order event of a refund."""
    return {"refund": refund.number, "amount_minor": refund.amount_minor, "reason": refund.reason}


def require_of_order(known: Refund, order: Order) -> Refund:
    """The refund that a form sent before. Raises Refused when that was for another order."""
    if known.order_id != order.id:
        raise Refused("This form was sent for another order. Reload the page.")
    return known

"""Invoices: one for each paid order, also for one of nothing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, first_number, row_type
from domain.documents import e_invoice
from domain.documents.body import Body, BodyLine, body_of
from domain.documents.issuer import Issuer
from domain.documents.settling_payment import settling_method
from domain.documents.store import store_document
from domain.documents.tax_sums import line_taxes
from domain.tables import Document, Learner, Order, OrderLine
from domain.text_direction import isolated

_documents = Document.__table__.c
# Nearly always there is none: then no ORM object is made.
_ISSUED = PreparedSelect(
    select(_documents.id).where(_documents.order_id == bindparam("order"), _documents.kind == "invoice"), first_number
)
_STUDENT = PreparedSelect(
    select(Learner.__table__.c.student_number).where(Learner.id == bindparam("learner")),
    lambda row: str(next(iter(row))).upper(),
)
_LINES = PreparedSelect(
    select(*OrderLine.__table__.c).where(OrderLine.order_id == bindparam("order")).order_by(OrderLine.number),
    row_type(OrderLine)._make,
)


def issue(session: Session, order: Order, at: datetime, issuer: Issuer) -> Document:
    """The order's invoice; a second call returns the same one. Call it in the transaction that settles the order, which
    is locked, and after all other locks: the number's counter stays locked until the end."""
    if _ISSUED.all(session, order=order.id) and (stored := invoice_of(session, order.id)) is not None:
        return stored
    [student_number] = _STUDENT.all(session, learner=order.learner_id)
    rows = _LINES.all(session, order=order.id)
    body = body_of(order, student_number, issuer, [printed_line(order.price_mode, row) for row in rows])
    body |= e_invoice.frozen(order, issuer, rows)
    body |= {"supplied_on": (order.paid_at or at).date().isoformat(), "payment": _payment(session, order, at)}
    return store_document(session, "invoice", order, body, at, prefix=issuer.prefix)


def invoice_of(session: Session, order_id: int) -> Document | None:
    return session.scalar(select(Document).where(Document.order_id == order_id, Document.kind == "invoice"))


def body_lines(session: Session, order: Order) -> list[BodyLine]:
    """The order's lines as its invoice prints them."""
    return [printed_line(order.price_mode, line) for line in _LINES.all(session, order=order.id)]


def printed_line(price_mode: str, line: OrderLine) -> BodyLine:
    """With its list price and the steps to its amount, if those sum to it; else with its unit price alone."""
    amount = line.net_minor if price_mode == "exclusive" else line.total_minor
    steps = _printed_steps(line.steps)
    has_steps = line.list_minor * line.quantity + sum(step["change_minor"] for step in steps) == amount
    return BodyLine(
        name=printed_name(line),
        sku=line.sku,
        quantity=line.quantity,
        unit_minor=line.list_minor if has_steps else line.unit_minor,
        net_minor=line.net_minor,
        tax_minor=line.tax_minor,
        total_minor=line.total_minor,
        taxes=line_taxes(line.taxes),
        steps=steps if has_steps else (),
    )


def printed_name(line: OrderLine) -> str:
    return f"Delivery: {isolated(line.name)}" if line.kind == "delivery" else line.name


def _printed_steps(steps: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """What changed the list price. Added tax is printed by rate; tax that an inclusive price loses is a step."""
    return tuple(
        {"name": step["name"], "change_minor": step["change_minor"]}
        for step in steps
        if step["change_minor"] and step["step"] != "list" and (step["step"] != "tax" or step["change_minor"] < 0)
    )


def _payment(session: Session, order: Order, at: datetime) -> Body | None:
    """None for an order of nothing."""
    if not order.total_minor:
        return None
    return {"method": settling_method(session, order.id), "paid_on": (order.paid_at or at).date().isoformat()}

"""Credit notes: one for each accepted refund of invoiced lines."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.documents import e_invoice
from domain.documents.body import Body, BodyLine, body_of
from domain.documents.invoices import invoice_of, printed_name
from domain.documents.issuer import Issuer
from domain.documents.store import store_document
from domain.documents.tax_sums import line_taxes, part_of
from domain.money import Currency, currency
from domain.tables import Document, Learner, Order, OrderLine, Refund, RefundLine


def issue(session: Session, refund: Refund, at: datetime, issuer: Issuer) -> Document | None:
    """The credit note of a refund; a second call returns the same one. None where there is nothing to correct: a refund
    without lines, or of an order without an invoice. Amounts are positive.

    Call it in the transaction that accepts the refund; the order is locked."""
    stored = session.scalar(select(Document).where(Document.refund_id == refund.id))
    invoice = invoice_of(session, refund.order_id)
    lines = body_lines(session, refund)
    if stored is not None or invoice is None or not lines:
        return stored
    order = session.get_one(Order, refund.order_id)
    student_number = session.get_one(Learner, order.learner_id).student_number.upper()
    body = body_of(order, student_number, issuer, lines)
    body["invoice"] = _name(invoice)
    body |= e_invoice.frozen_of_credit(invoice.body)
    if notes := _reversed_notes(session, refund):
        body["reverses"] = [_name(note) for note in notes]
    return store_document(session, "credit_note", order, body, at, prefix=issuer.prefix, refund_id=refund.id)


def _name(document: Document) -> Body:
    return {"number": document.number, "issued_on": document.issued_at.date().isoformat()}


def _reversed_notes(session: Session, refund: Refund) -> list[Document]:
    """The credit notes that one below 0 takes back: those about the money of its dispute that the shop had lost until
    then. [] for money that goes to the buyer."""
    if refund.amount_minor >= 0 or refund.dispute_id is None:
        return []
    query = select(Refund.amount_minor, Document).outerjoin(Document, Document.refund_id == Refund.id)
    earlier = query.where(Refund.dispute_id == refund.dispute_id, Refund.id < refund.id).order_by(Refund.id)
    notes: list[Document] = []
    lost_minor = 0
    for amount_minor, note in session.execute(earlier):
        # Those from before everything had come back are taken back already.
        notes = notes if lost_minor else []
        lost_minor += amount_minor
        if amount_minor > 0 and note is not None:
            notes.append(note)
    return notes


def body_lines(session: Session, refund: Refund, note: Document | None = None) -> list[BodyLine]:
    """What a refund's credit note prints. `note`: the one that was issued, whose successors do not count; None: it is
    issued now."""
    query = select(OrderLine, RefundLine).join(RefundLine, RefundLine.line_id == OrderLine.id)
    rows = session.execute(query.where(RefundLine.refund_id == refund.id).order_by(OrderLine.number)).all()
    order_currency = currency(session.get_one(Order, refund.order_id).currency)
    return [_line(line, part, _credited_tax(session, line.id, note), order_currency) for line, part in rows]


def _line(line: OrderLine, part: RefundLine, credited_tax: int, order_currency: Currency) -> BodyLine:
    """`quantity` 0: an amount of the line, without units."""
    return BodyLine(
        name=printed_name(line),
        sku=line.sku,
        quantity=part.quantity,
        unit_minor=None,
        net_minor=part.amount_minor - part.tax_minor,
        tax_minor=part.tax_minor,
        total_minor=part.amount_minor,
        taxes=part_of(line_taxes(line.taxes), credited_tax, part.tax_minor, order_currency),
    )


def _credited_tax(session: Session, line_id: int, note: Document | None) -> int:
    """The tax of the line that earlier credit notes have corrected."""
    query = select(func.coalesce(func.sum(RefundLine.tax_minor), 0)).where(RefundLine.line_id == line_id)
    issued = query.join(Document, Document.refund_id == RefundLine.refund_id)
    return int(session.scalars(issued if note is None else issued.where(Document.id < note.id)).one())

"""Documents: what they print against the order's lines and refunds."""

from collections.abc import Iterator

from sqlalchemy.orm import Session

from domain.documents import credit_notes, invoices
from domain.documents.body import amounts_of, digest_of
from domain.orders.explanation.fields import FieldDifference, compare, compare_value
from domain.orders.explanation.order_rows import OrderRows
from domain.orders.refunds.gateway_results import ACCEPTED
from domain.tables import Document, Refund


def document_differences(session: Session, rows: OrderRows) -> Iterator[FieldDifference]:
    """One invoice of an order that was ever paid, one credit note for each accepted refund of lines, and each as it was
    issued. An order over nothing has no invoice, but for older ones."""
    kinds = [document.kind for document in rows.documents]
    is_invoiced = rows.order.paid_at is not None and (rows.order.total_minor > 0 or "invoice" in kinds)
    yield from compare_value("number of invoices", kinds.count("invoice"), int(is_invoiced))
    for document in rows.documents:
        yield from _body_differences(session, rows, document)
    noted = {document.refund_id for document in rows.documents}
    for refund in rows.refunds:
        if refund.state in ACCEPTED and refund.id not in noted and credit_notes.body_lines(session, refund):
            yield FieldDifference(f"refund {refund.number}, credit note", None, "a document")


def _body_differences(session: Session, rows: OrderRows, document: Document) -> Iterator[FieldDifference]:
    name, body = document.number, document.body
    yield from compare_value(f"{name}, digest", document.digest, digest_of(body))
    order = rows.order
    about = {"number": name, "kind": document.kind, "order": order.code, "currency": order.currency}
    yield from compare(name, body, about)
    lines = invoices.body_lines(session, order)
    if document.refund_id is not None:
        lines = credit_notes.body_lines(session, session.get_one(Refund, document.refund_id), document)
    yield from compare(name, body, amounts_of(order, lines))

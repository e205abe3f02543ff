"""Whether documents and money agree: gross of all document lines = charges - refunds + what is under way.

Under way is money that is still to go back, and, at the ends of a period, what was documented and moved on different
sides of it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, func, not_, or_, select
from sqlalchemy.orm import Session, aliased

from domain.orders.export.export_rows import PAID_BACK
from domain.orders.export.pages import ExportedDocument
from domain.orders.export.period import Period
from domain.orders.refunds.refund_rows import OF_NO_LINE
from domain.tables import Document, Order, Payment, Refund

MAX_PROBLEMS = 20
# Such a payment bought nothing: it has no document.
RETURNED = exists().where(Refund.payment_id == Payment.id, Refund.reason.in_(OF_NO_LINE)).correlate(Payment)


@dataclass(frozen=True)
class CurrencySums:
    """What the documents and the money of one currency sum up to, in minor units."""

    currency: str
    documents: int
    charges: int
    refunds: int
    under_way: int

    @property
    def difference(self) -> int:
        return self.documents - (self.charges - self.refunds + self.under_way)


@dataclass
class BooksAgreement:
    """`problems`: documents without their money, and money without its document, as texts; at most MAX_PROBLEMS."""

    documents: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    sums: tuple[CurrencySums, ...] = ()

    @property
    def is_right(self) -> bool:
        return not self.problems and all(row.difference == 0 for row in self.sums)

    def add_page(self, session: Session, page: Sequence[ExportedDocument]) -> None:
        """Count these documents, and compare each with the payment or refund that it is about."""
        charged = _charged(session, [document.order_id for document in page if document.refund_id is None])
        refunded = _refunded(session, [document.refund_id for document in page if document.refund_id is not None])
        for document in page:
            total, currency = document.body["total_minor"], document.body["currency"]
            self.documents[currency] += document.sign * total
            moved = charged[document.order_id] if document.refund_id is None else refunded.get(document.refund_id, 0)
            if moved != total:
                self._report(f"{document.number}: {total} {currency} in minor units, but {moved} were moved")

    def finish(self, session: Session, period: Period) -> None:
        """After the last page."""
        for code in session.scalars(_orders_without_invoice(period)):
            self._report(f"order {code}: paid, but without an invoice")
        for code in session.scalars(_refunds_without_note(period)):
            self._report(f"order {code}: a refund without a credit note")
        charges, refunds, under_way = _money(session, period)
        currencies = sorted({*self.documents, *charges, *refunds, *under_way})
        self.sums = tuple(
            CurrencySums(code, self.documents[code], charges[code], refunds[code], under_way[code])
            for code in currencies
        )

    def _report(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


def _charged(session: Session, order_ids: Sequence[int]) -> Counter[int]:
    """Order -> what was paid for it and kept, but for later refunds."""
    columns = select(Payment.order_id, func.sum(Payment.amount_minor)).group_by(Payment.order_id)
    is_kept = (Payment.state == "paid", not_(RETURNED), Payment.order_id.in_(order_ids))
    return Counter({row[0]: int(row[1]) for row in session.execute(columns.where(*is_kept))})


def _refunded(session: Session, refund_ids: Sequence[int]) -> dict[int, int]:
    rows = session.execute(select(Refund.id, Refund.amount_minor).where(Refund.id.in_(refund_ids)))
    return {row[0]: row[1] for row in rows}


def _within(column: Any, period: Period) -> ColumnElement[bool]:
    return and_(column.is_not(None), column >= period.since, column < period.until)


def _orders_without_invoice(period: Period) -> Any:
    has_invoice = exists().where(Document.order_id == Order.id, Document.kind == "invoice")
    query = select(Order.code).where(_within(Order.paid_at, period), Order.total_minor > 0, not_(has_invoice))
    return query.order_by(Order.id).limit(MAX_PROBLEMS)


def _refunds_without_note(period: Period) -> Any:
    has_note = exists().where(Document.refund_id == Refund.id)
    is_back = and_(Refund.state.in_(PAID_BACK), _within(Refund.changed_at, period), Refund.amount_minor > 0)
    query = select(Order.code).join(Refund, Refund.order_id == Order.id)
    missing = query.where(is_back, Refund.reason.not_in(OF_NO_LINE), not_(has_note))
    return missing.order_by(Refund.id).limit(MAX_PROBLEMS)


def _money(session: Session, period: Period) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Charges, refunds and what is under way, by currency."""
    charges, refunds, under_way = Counter[str](), Counter[str](), Counter[str]()
    for currency, charged, other in session.execute(_payment_sums(period)):
        charges[currency] += int(charged)
        under_way[currency] += int(other)
    for currency, refunded, other in session.execute(_refund_sums(period)):
        refunds[currency] += int(refunded)
        under_way[currency] += int(other)
    return charges, refunds, under_way


def _sum(*parts: tuple[ColumnElement[bool], Any]) -> Any:
    return func.coalesce(func.sum(case(*parts, else_=0)), 0)


def _payment_sums(period: Period) -> Any:
    """Sums of payments by currency: what was charged; and what is documented at another time, or goes back."""
    invoice = aliased(Document)
    is_paid, is_invoiced = _within(Payment.paid_at, period), _within(invoice.issued_at, period)
    amount = Payment.amount_minor
    other = _sum(
        (and_(RETURNED, is_paid), -amount),
        (and_(not_(RETURNED), is_invoiced, not_(is_paid)), amount),
        (and_(not_(RETURNED), is_paid, invoice.id.is_not(None), not_(is_invoiced)), -amount),
    )
    joined = and_(invoice.order_id == Payment.order_id, invoice.kind == "invoice")
    query = select(Payment.currency, _sum((is_paid, amount)), other).outerjoin(invoice, joined)
    return query.where(Payment.state == "paid", or_(is_paid, is_invoiced)).group_by(Payment.currency)


def _refund_sums(period: Period) -> Any:
    """Sums of refunds by currency: what was paid back; and what is documented at another time, or still to be paid."""
    note = aliased(Document)
    is_back = and_(Refund.state.in_(PAID_BACK), _within(Refund.changed_at, period))
    is_noted = _within(note.issued_at, period)
    amount = Refund.amount_minor
    other = _sum(
        (and_(is_back, Refund.reason.in_(OF_NO_LINE)), amount),
        (and_(is_noted, not_(is_back)), -amount),
        (and_(is_back, note.id.is_not(None), not_(is_noted)), amount),
    )
    currency = func.coalesce(Payment.currency, Order.currency)
    query = select(currency, _sum((is_back, amount)), other).select_from(Refund)
    query = query.join(Order, Order.id == Refund.order_id).outerjoin(Payment, Payment.id == Refund.payment_id)
    return query.outerjoin(note, note.refund_id == Refund.id).where(or_(is_back, is_noted)).group_by(currency)

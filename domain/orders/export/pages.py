"""Reads rows a page at a time, so that memory does not grow with their number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.documents.body import Body
from domain.orders.export.period import Period
from domain.tables import Document, Order

PAGE_ROWS = 1000


@dataclass(frozen=True)
class ExportedDocument:
    """A document with what its order says about the tax. `sign`: -1 for a credit note, whose body has amounts above
    0, or below where money of a dispute came back."""

    id: int
    kind: str
    number: str
    issued_at: datetime
    order_id: int
    refund_id: int | None
    body: Body
    order: str
    tax_place: str
    tax_kind: str

    @property
    def sign(self) -> int:
        return -1 if self.kind == "credit_note" else 1


def document_pages(session: Session, period: Period) -> Iterator[list[ExportedDocument]]:
    """The documents that were issued in the period, in the order in which they were written."""
    columns = (Document.id, Document.kind, Document.number, Document.issued_at, Document.order_id, Document.refund_id)
    query = select(*columns, Document.body, Order.code, Order.tax_place, Order.tax_kind)
    joined = query.join(Order, Order.id == Document.order_id)
    in_period = (Document.issued_at >= period.since, Document.issued_at < period.until)
    for rows in pages(session, joined.where(*in_period), Document.id):
        yield [ExportedDocument(*row) for row in rows]


def pages(
    session: Session, query: Select[*tuple[Any, ...]], key: InstrumentedAttribute[int]
) -> Iterator[Sequence[Row[*tuple[Any, ...]]]]:
    """The rows of a query by `key`, its first column."""
    last = 0
    while rows := session.execute(query.where(key > last).order_by(key).limit(PAGE_ROWS)).all():
        yield rows
        last = rows[-1][0]

"""Writes a document under its number, with all that is printed frozen."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.database.prepared_change import PreparedInsert
from domain.documents.body import Body, digest_of
from domain.documents.numbers import Kind, next_number
from domain.tables import Document, Order

_DOCUMENT = PreparedInsert(Document)


def store_document(  # noqa: PLR0913 all that a row has
    session: Session, kind: Kind, order: Order, body: Body, at: datetime, *, prefix: str, refund_id: int | None = None
) -> Document:
    """What was stored, as an object of no session. `body` without kind, number and date, which are added here. The
    counter stays locked until the end of the transaction."""
    number = next_number(session, kind, at.year, prefix)
    body = {**body, "kind": kind, "number": number.text, "issued_on": at.date().isoformat()}
    columns = {
        "kind": kind,
        "number": number.text,
        "year": at.year,
        "seq": number.seq,
        "order_id": order.id,
        "refund_id": refund_id,
        "issued_at": at,
        "body": body,
        "digest": digest_of(body),
    }
    return Document(id=_DOCUMENT.run(session, **columns), **columns)

"""Documents as their owner reads them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Document, Order


def own_document(session: Session, learner_id: int, code: str, number: str) -> Document | None:
    """The document of this learner's order. The condition names the owner, so that an unknown number, an unknown order
    and another's document cannot be told apart."""
    query = select(Document).join(Order, Order.id == Document.order_id)
    is_own = (Order.learner_id == learner_id, Order.code == code.upper(), Document.number == number)
    return session.scalar(query.where(*is_own))


def documents_of(session: Session, order_id: int) -> list[Document]:
    """Of one order, the invoice first."""
    query = select(Document).where(Document.order_id == order_id)
    return list(session.scalars(query.order_by(Document.issued_at, Document.id)))

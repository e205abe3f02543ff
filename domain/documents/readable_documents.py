"""Documents as their owner reads them, whoever reads the purchases of an organisation, and staff who read orders."""

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from domain.permissions import Tenant
from domain.tables import Document, Order


def readable_document(
    session: Session, learner_id: int, tenant: Tenant | None, code: str, number: str
) -> Document | None:
    """The document of this learner's order, or of one in the name of the organisation whose purchases they may read.
    The condition names them, so that an unknown number, an unknown order and another's document cannot be told apart.
    """
    is_own: ColumnElement[bool] = Order.learner_id == learner_id
    if tenant is not None:
        is_own |= Order.organisation_id == tenant.organisation_id
    return session.scalar(_document(code, number).where(is_own))


def document_for_staff(session: Session, code: str, number: str) -> Document | None:
    """The document of anybody's order."""
    return session.scalar(_document(code, number))


def _document(code: str, number: str) -> Select[Document]:
    query = select(Document).join(Order, Order.id == Document.order_id)
    return query.where(Order.code == code.upper(), Document.number == number)


def documents_of(session: Session, order_id: int) -> list[Document]:
    """The documents of one order, the invoice first."""
    query = select(Document).where(Document.order_id == order_id)
    return list(session.scalars(query.order_by(Document.issued_at, Document.id)))

"""Orders as commands show them: the newest, and everything about one."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.documents.readable_documents import documents_of
from domain.errors import NotFound
from domain.orders import events
from domain.orders.lines import lines_of
from domain.orders.refunds.refund_rows import refunds_of
from domain.tables import Document, Learner, Order, OrderEvent, OrderLine, Payment, Refund
from domain.tables.areas.person_keys import email_key

# For modules that only print them.
OrderRow = Order
LineRow = OrderLine


@dataclass(frozen=True)
class OrderFilter:
    """`state`: None for every one; `email`: the receipt's address, in any case; `since`: placed then or later."""

    state: str | None = None
    email: str | None = None
    since: datetime | None = None


@dataclass(frozen=True)
class OrderRows:
    """An order with its rows, each kind by number or time."""

    order: Order
    lines: list[OrderLine]
    payments: list[Payment]
    refunds: list[Refund]
    documents: list[Document]
    events: list[OrderEvent]


def newest(session: Session, order_filter: OrderFilter, limit: int) -> list[Order]:
    """The orders that were placed last, the newest first."""
    query = select(Order)
    if order_filter.state is not None:
        query = query.where(Order.state == order_filter.state)
    if order_filter.email is not None:
        query = query.where(Order.email_key == email_key(order_filter.email))
    if order_filter.since is not None:
        query = query.where(Order.placed_at >= order_filter.since)
    return list(session.scalars(query.order_by(Order.placed_at.desc(), Order.id.desc()).limit(limit)))


def order_by_code(session: Session, code: str) -> Order:
    """In any case of letters. Raises NotFound."""
    order = session.scalar(select(Order).where(Order.code == code.strip().upper()))
    if order is None:
        raise NotFound(f"There is no order {code}.")
    return order


def rows_of(session: Session, code: str) -> OrderRows:
    """Raises NotFound."""
    order = order_by_code(session, code)
    payments = select(Payment).where(Payment.order_id == order.id).order_by(Payment.number)
    return OrderRows(
        order,
        lines_of(session, order.id),
        list(session.scalars(payments)),
        refunds_of(session, order.id),
        documents_of(session, order.id),
        events.timeline(session, order.id),
    )


def codes_of(session: Session, order_ids: Collection[int]) -> dict[int, str]:
    """Order id -> its code."""
    rows = session.execute(select(Order.id, Order.code).where(Order.id.in_(order_ids)))
    return {row[0]: row[1] for row in rows}


def name_of(session: Session, learner_id: int) -> str:
    return session.scalars(select(Learner.name).where(Learner.id == learner_id)).one()

"""A learner's orders, a page at a time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain.orders.views.records import Returned
from domain.orders.views.state_texts import state_text
from domain.tables import Order, OrderLine, Refund

PAGE_SIZE = 24


@dataclass(frozen=True)
class OrderSummary:
    """`total` in minor units of the currency; `names` of the products."""

    code: str
    placed_at: datetime
    state: str
    state_text: str
    total: int
    currency: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class OrderPage:
    """The newest orders first. `pages` is at least 1; beyond the last page there are no orders."""

    orders: tuple[OrderSummary, ...]
    page: int
    pages: int


def page_of_orders(session: Session, learner_id: int, page: int) -> OrderPage:
    """`page` counts from 1."""
    is_own = Order.learner_id == learner_id
    number: int = session.scalars(select(func.count(Order.id)).where(is_own)).one()
    newest = select(Order).where(is_own).order_by(Order.placed_at.desc(), Order.id.desc())
    orders = session.scalars(newest.offset((page - 1) * PAGE_SIZE).limit(PAGE_SIZE)).all()
    ids = [order.id for order in orders]
    lines = select(OrderLine.order_id, OrderLine.name).where(OrderLine.kind != "delivery").order_by(OrderLine.number)
    names = _by_order(session, lines.where(OrderLine.order_id.in_(ids)))
    refunds = _refunds(session, ids)
    summaries = tuple(_summary(order, refunds[order.id], names[order.id]) for order in orders)
    return OrderPage(summaries, page, max(1, -(-number // PAGE_SIZE)))


def _by_order(session: Session, query: Select[int, str]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = defaultdict(list)
    for order_id, text in session.execute(query):
        texts[order_id].append(text)
    return texts


def _refunds(session: Session, order_ids: Sequence[int]) -> dict[int, list[Returned]]:
    refunds: dict[int, list[Returned]] = defaultdict(list)
    query = select(Refund.order_id, Refund.reason, Refund.state).where(Refund.order_id.in_(order_ids))
    for order_id, reason, state in session.execute(query):
        refunds[order_id].append(Returned(reason, state))
    return refunds


def _summary(order: Order, refunds: Sequence[Returned], names: Sequence[str]) -> OrderSummary:
    return OrderSummary(
        code=order.code,
        placed_at=order.placed_at,
        state=order.state,
        state_text=state_text(order, refunds, can_pay=True).text,
        total=order.total_minor,
        currency=order.currency,
        names=tuple(names),
    )

"""Lines of orders: made from the lines of a quote, with what they need of limited resources."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.reservations.kinds import Resource
from domain.reservations.owners import order_cart_key, order_line_key
from domain.tables import Order, OrderLine


class LineNeeds(NamedTuple):
    """What of a line tells its product and what it needs, without an ORM object."""

    id: int
    product_id: int | None
    kind: str
    fulfilment: str
    quantity: int
    offer_step: str
    offer_id: int | None


_lines = OrderLine.__table__.c
_NEEDS = PreparedSelect(
    select(*(_lines[name] for name in LineNeeds._fields))
    .where(_lines.order_id == bindparam("order"))
    .order_by(_lines.number),
    LineNeeds._make,
)


def lines_of(session: Session, order_id: int) -> list[OrderLine]:
    """The lines of an order by number, with their newest values."""
    query = select(OrderLine).where(OrderLine.order_id == order_id).order_by(OrderLine.number)
    return list(session.scalars(query, execution_options={"populate_existing": True}))


def needed_reservations(session: Session, order: Order) -> Mapping[tuple[Resource, str], int]:
    """(resource, owner key) -> units that the order's lines need: pieces of every shop item, also of one without a
    limit, a use of each line's code, and one of the coupon on the whole cart."""
    return needed_by_lines(order.id, _NEEDS.all(session, order=order.id))


def needed_by_lines(order_id: int, lines: Iterable[OrderLine | LineNeeds]) -> Mapping[tuple[Resource, str], int]:
    """(resource, owner key) -> units that these lines need; see `needed_reservations`. `lines`: all of the order's."""
    needed: dict[tuple[Resource, str], int] = {}
    for line in lines:
        key = order_line_key(order_id, line.id)
        if is_item(line):
            needed[Resource("stock", line.product_id or 0), key] = line.quantity
        if line.offer_step == "code" and line.offer_id is not None:
            needed[Resource("coupon", line.offer_id), key] = 1
        if line.offer_step == "coupon" and line.offer_id is not None:
            needed[Resource("coupon", line.offer_id), order_cart_key(order_id)] = 1
    return needed


def is_item(line: OrderLine | LineNeeds) -> bool:
    """Whether the line is a shop item; courses and delivery have no stock."""
    return line.kind == "product" and line.fulfilment != ""


def product_ids(session: Session, order: Order) -> list[int]:
    return [line.product_id for line in _NEEDS.all(session, order=order.id) if line.product_id is not None]

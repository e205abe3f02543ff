"""Lines of orders: made from the lines of a quote, with what they need of limited resources."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.reservations import Resource, order_cart_key, order_line_key
from domain.tables import Order, OrderLine


def lines_of(session: Session, order_id: int) -> list[OrderLine]:
    """The lines of an order by number, with their newest values."""
    query = select(OrderLine).where(OrderLine.order_id == order_id).order_by(OrderLine.number)
    return list(session.scalars(query, execution_options={"populate_existing": True}))


def needed_reservations(session: Session, order: Order) -> Mapping[tuple[Resource, str], int]:
    """(resource, owner key) -> units that the order's lines need: pieces of every shop item, also of one without a
    limit, a use of each line's code, and one of the coupon on the whole cart."""
    needed: dict[tuple[Resource, str], int] = {}
    for line in lines_of(session, order.id):
        key = order_line_key(order.id, line.id)
        if is_item(line):
            needed[Resource("stock", line.product_id or 0), key] = line.quantity
        if line.offer_step == "code" and line.offer_id is not None:
            needed[Resource("coupon", line.offer_id), key] = 1
        if line.offer_step == "coupon" and line.offer_id is not None:
            needed[Resource("coupon", line.offer_id), order_cart_key(order.id)] = 1
    return needed


def is_item(line: OrderLine) -> bool:
    """Whether the line is a shop item; courses and delivery have no stock."""
    return line.kind == "product" and line.fulfilment != ""


def product_ids(session: Session, order: Order) -> list[int]:
    return [line.product_id for line in lines_of(session, order.id) if line.product_id is not None]

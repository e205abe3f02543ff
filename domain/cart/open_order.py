"""What a cart may count on because the learner's open order has it: placing the cart releases that order's reservations
first."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart.cart_coupon import coupon_of
from domain.cart.owners import Owner
from domain.coupons import queries as coupon_queries
from domain.reservations.owners import CartOwner
from domain.tables import CartLine


def covers_line(session: Session, line: CartOwner, coupon_id: int, at: datetime) -> bool:
    """Whether the open order has a use of the coupon for a line that has none reserved.

    Its uses count once: those that other lines, or the whole cart, need are left out.
    """
    uses = coupon_queries.uses_by(session, line.learner_id, [coupon_id], at)
    of_order = sum(use.is_open for use in uses)
    if of_order == 0:
        return False
    reserved = {use.product_id for use in uses if use.order_id is None}
    with_code = (CartLine.learner_id == line.learner_id, CartLine.coupon_id == coupon_id)
    others = set(session.scalars(select(CartLine.product_id).where(*with_code))) - reserved - {line.product_id}
    is_on_cart = coupon_of(session, Owner(line.learner_id), at) == coupon_id
    return line.product_id not in reserved and of_order > len(others) + is_on_cart

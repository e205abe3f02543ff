"""The coupon of a whole cart: of a learner, or of a guest until the browser's cookie expires."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.cart.owners import Owner
from domain.tables import Cart

# Specification: lifetime of the cart cookies. A guest's coupon expires with the cart.
GUEST_CART_TTL = timedelta(minutes=180)


def cart_of(session: Session, owner: Owner, at: datetime) -> Cart | None:
    if owner.learner_id is not None:
        return session.scalar(select(Cart).where(Cart.learner_id == owner.learner_id))
    if owner.guest_key is None:
        return None
    return session.scalar(select(Cart).where(Cart.guest_key == owner.guest_key, Cart.expires_at > at))


def coupon_of(session: Session, owner: Owner, at: datetime) -> int | None:
    """Id of the coupon on the cart."""
    cart = cart_of(session, owner, at)
    return None if cart is None else cart.coupon_id


def set_cart_coupon(session: Session, owner: Owner, coupon_id: int | None, at: datetime) -> None:
    """Put a coupon on the cart, or (None) remove it."""
    cart = cart_of(session, owner, at)
    if cart is None and coupon_id is None:
        return
    if cart is None:
        cart = Cart(learner_id=owner.learner_id, guest_key=None if owner.learner_id is not None else owner.guest_key)
        session.add(cart)
    cart.coupon_id = coupon_id
    cart.expires_at = None if owner.learner_id is not None else at + GUEST_CART_TTL
    session.flush()


def delete_expired_carts(session: Session, at: datetime) -> None:
    """Delete guests' carts whose cookie has expired."""
    session.execute(delete(Cart).where(Cart.expires_at <= at))

"""The coupon of a whole cart: of a learner, or of a guest for as long as the browser's cookie lives."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.cart.owners import Owner
from domain.tables import Cart

# The life of the specification's cookies: a coupon goes with the cart it was meant for.
GUEST_LIFE = timedelta(minutes=180)


def cart_of(session: Session, owner: Owner, at: datetime) -> Cart | None:
    if owner.learner_id is not None:
        return session.scalar(select(Cart).where(Cart.learner_id == owner.learner_id))
    if owner.guest is None:
        return None
    return session.scalar(select(Cart).where(Cart.guest == owner.guest, Cart.expires_at > at))


def coupon_of(session: Session, owner: Owner, at: datetime) -> int | None:
    """Id of the coupon on the cart."""
    found = cart_of(session, owner, at)
    return None if found is None else found.coupon_id


def keep_coupon(session: Session, owner: Owner, coupon_id: int | None, at: datetime) -> None:
    """Put a coupon on the cart, or (None) take it off."""
    found = cart_of(session, owner, at)
    if found is None and coupon_id is None:
        return
    if found is None:
        found = Cart(learner_id=owner.learner_id, guest=None if owner.learner_id is not None else owner.guest)
        session.add(found)
    found.coupon_id = coupon_id
    found.expires_at = None if owner.learner_id is not None else at + GUEST_LIFE
    session.flush()


def forget_guests(session: Session, at: datetime) -> None:
    """Carts whose cookie is gone by now."""
    session.execute(delete(Cart).where(Cart.expires_at <= at))

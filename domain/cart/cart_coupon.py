"""The coupon of a whole cart: of a learner, or of a guest until the browser's cookie expires."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, delete, select, update
from sqlalchemy.orm import Session

from domain.cart.owners import Owner
from domain.database.database import insert_ignoring
from domain.database.prepared_select import PreparedSelect
from domain.shop_settings.shop import COOKIE_MINUTES
from domain.tables import Cart

_OF_LEARNER = PreparedSelect(select(Cart.__table__.c.coupon_id).where(Cart.learner_id == bindparam("learner")), tuple)


def cart_of(session: Session, owner: Owner, at: datetime) -> Cart | None:
    if owner.learner_id is not None:
        return session.scalar(select(Cart).where(Cart.learner_id == owner.learner_id))
    if owner.guest_key is None:
        return None
    return session.scalar(select(Cart).where(Cart.guest_key == owner.guest_key, Cart.expires_at > at))


def coupon_of(session: Session, owner: Owner, at: datetime) -> int | None:
    """Id of the coupon on the cart."""
    if owner.learner_id is not None:
        rows = _OF_LEARNER.all(session, learner=owner.learner_id)
        return rows[0][0] if rows else None
    cart = cart_of(session, owner, at)
    return None if cart is None else cart.coupon_id


def set_cart_coupon(
    session: Session, owner: Owner, coupon_id: int | None, at: datetime, cookie_minutes: int = COOKIE_MINUTES
) -> None:
    """Put a coupon on the cart, or (None) remove it; a guest's expires with the cookie that names the cart. Another
    transaction may create the cart at the same time."""
    if owner.learner_id is None and owner.guest_key is None:
        return
    if coupon_id is not None:
        guest_key = None if owner.learner_id is not None else owner.guest_key
        insert_ignoring(session, Cart, [{"learner_id": owner.learner_id, "guest_key": guest_key}])
    expires_at = None if owner.learner_id is not None else at + timedelta(minutes=cookie_minutes)
    values = {"coupon_id": coupon_id, "expires_at": expires_at, "version": Cart.version + 1}
    session.execute(update(Cart).where(_is_of(owner)).values(values))


def _is_of(owner: Owner) -> ColumnElement[bool]:
    if owner.learner_id is not None:
        return Cart.learner_id == owner.learner_id
    return Cart.guest_key == owner.guest_key


def delete_expired_carts(session: Session, at: datetime) -> None:
    """Delete guests' carts whose cookie has expired."""
    session.execute(delete(Cart).where(Cart.expires_at <= at))

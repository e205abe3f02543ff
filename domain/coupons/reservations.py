"""Uses of coupons: reserved for a line, taken over by an order, committed by its payment, released by everything else.

Three guards, each of which alone keeps the limit: the coupon's row is locked, the counter moves by an UPDATE that
carries the limit, and a learner's uses are numbered under a unique key. Whoever locks does so in one order: the cart
line first, then coupons by their id.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, CursorResult, and_, delete, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from domain.coupons.rules import UNUSABLE, learner_limit_reached
from domain.coupons.terms import Terms
from domain.pricing.rules import Reason
from domain.tables import Coupon, CouponUse

# One use per learner and line is held this long; a repeat begins anew.
HOLD = timedelta(minutes=30)
WHOLE_CART = 0
NO_ORDER = 0


@dataclass(frozen=True)
class Place:
    """Where a use is held: a learner's line, or (product_id 0) their whole cart."""

    learner_id: int
    product_id: int = WHOLE_CART


def lock(session: Session, coupon_ids: Iterable[int]) -> None:
    """From here to the end of the transaction nobody else changes uses of these coupons."""
    ids = sorted(set(coupon_ids))
    if ids:
        session.execute(select(Coupon.id).where(Coupon.id.in_(ids)).order_by(Coupon.id).with_for_update()).all()


def reserve(session: Session, terms: Terms, place: Place, at: datetime) -> Reason | None:
    """Hold one use at a place until `at` + HOLD; one held already is renewed.

    None when it is held, else why not. Checks the limits alone: the other rules come before.
    """
    coupon_id = _id_of(terms)
    lock(session, [coupon_id])
    elsewhere = (CouponUse.learner_id == place.learner_id, CouponUse.product_id != place.product_id)
    _free(session, coupon_id, _expired(at, *elsewhere))
    if _renewed(session, coupon_id, place, at):
        return None
    if not _counted(session, coupon_id, at):
        return UNUSABLE
    if _numbered(session, terms, place, at):
        return None
    _uncount(session, coupon_id, 1)
    return None if _renewed(session, coupon_id, place, at) else learner_limit_reached(terms)


def _id_of(terms: Terms) -> int:
    if terms.id is None:
        raise ValueError("only coupons have uses")
    return terms.id


def _of_line(coupon_id: int, place: Place) -> ColumnElement[bool]:
    return and_(
        CouponUse.coupon_id == coupon_id,
        CouponUse.learner_id == place.learner_id,
        CouponUse.product_id == place.product_id,
        CouponUse.order_id == NO_ORDER,
    )


def _renewed(session: Session, coupon_id: int, place: Place, at: datetime) -> bool:
    """A hold that has run out and that nobody freed yet still has its place: it is renewed like any other."""
    mine = _of_line(coupon_id, place)
    return _changed(session, update(CouponUse).where(mine).values(held_at=at, expires_at=at + HOLD)) == 1


def _counted(session: Session, coupon_id: int, at: datetime) -> bool:
    """One use more on the counter, if one is left; holds that have run out are freed when there is none."""
    return _count(session, coupon_id) or (_free(session, coupon_id, _expired(at)) > 0 and _count(session, coupon_id))


def _count(session: Session, coupon_id: int) -> bool:
    is_left = or_(Coupon.total_limit.is_(None), Coupon.uses < Coupon.total_limit)
    counting = update(Coupon).where(Coupon.id == coupon_id, Coupon.state == "active", is_left)
    return _changed(session, counting.values(uses=Coupon.uses + 1)) == 1


def _uncount(session: Session, coupon_id: int, number: int) -> None:
    _changed(session, update(Coupon).where(Coupon.id == coupon_id).values(uses=Coupon.uses - number))


def _numbered(session: Session, terms: Terms, place: Place, at: datetime) -> bool:
    """A row under the learner's first free number; False when there is none, or the line has its row by now."""
    coupon_id = _id_of(terms)
    taken = set(
        session.scalars(
            select(CouponUse.nth).where(CouponUse.coupon_id == coupon_id, CouponUse.learner_id == place.learner_id)
        )
    )
    last = terms.learner_limit if terms.learner_limit is not None else len(taken) + 3
    for nth in (one for one in range(1, last + 1) if one not in taken):
        use = {"coupon_id": coupon_id, **vars(place), "order_id": NO_ORDER}
        try:
            with session.begin_nested():
                session.add(CouponUse(**use, nth=nth, state="held", held_at=at, expires_at=at + HOLD))
        except IntegrityError:
            # On MariaDB what was read may be older than the lock: the same learner came first in another tab.
            continue
        return True
    return False


def release(session: Session, coupon_id: int, place: Place) -> None:
    """Give back what is held for a line; what an order has is not touched."""
    lock(session, [coupon_id])
    _free(session, coupon_id, _of_line(coupon_id, place))


def take_over(session: Session, coupon_id: int, place: Place, order_id: int, until: datetime) -> bool:
    """The hold of a line becomes the order's, until it is paid or given up; False when there is none."""
    mine = and_(_of_line(coupon_id, place), CouponUse.state == "held")
    return _changed(session, update(CouponUse).where(mine).values(order_id=order_id, expires_at=until)) == 1


def commit_order(session: Session, order_id: int) -> int:
    """Paid: the order's uses stay used. Answers how many there were; a second time changes nothing."""
    held = and_(CouponUse.order_id == order_id, CouponUse.state == "held")
    return _changed(session, update(CouponUse).where(held).values(state="committed", expires_at=None))


def release_order(session: Session, order_id: int) -> int:
    """Failed, cancelled or refunded: every use of the order is given back, once."""
    if order_id == NO_ORDER:
        raise ValueError("0 is no order")
    of_order = CouponUse.order_id == order_id
    ids = sorted(set(session.scalars(select(CouponUse.coupon_id).where(of_order))))
    lock(session, ids)
    return sum(_free(session, one, of_order) for one in ids)


def free_expired(session: Session, at: datetime) -> int:
    """Give back what has run out, whoever held it."""
    expired = select(CouponUse.coupon_id).where(CouponUse.state == "held", CouponUse.expires_at <= at)
    ids = sorted(set(session.scalars(expired)))
    lock(session, ids)
    return sum(_free(session, one, _expired(at)) for one in ids)


def _expired(at: datetime, *also: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(CouponUse.state == "held", CouponUse.expires_at <= at, *also)


def _free(session: Session, coupon_id: int, which: ColumnElement[bool]) -> int:
    """Delete uses of a coupon and take them off its counter. By their keys: a range would lock its neighbours too."""
    ids = list(session.scalars(select(CouponUse.id).where(CouponUse.coupon_id == coupon_id, which)))
    if not ids:
        return 0
    gone = _changed(session, delete(CouponUse).where(CouponUse.id.in_(ids), which))
    if gone:
        _uncount(session, coupon_id, gone)
    return gone


def _changed(session: Session, statement: Any) -> int:
    """Rows a statement changed. It goes past the objects of the session, which hold no uses."""
    done = session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", done).rowcount

"""Uses of coupons: reserved for a line, transferred to an order, committed by its payment, otherwise released.

Three guards, each of which alone enforces the limit: the coupon's row is locked, the counter is changed by an UPDATE
with the limit as its condition, and a learner's uses are numbered under a unique key. Locks are always taken in one
order: the cart line first, then coupons by their id.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, CursorResult, and_, case, delete, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from domain.coupons.rules import UNUSABLE, learner_limit_reached
from domain.coupons.terms import Terms
from domain.pricing.rules import RefusalReason
from domain.tables import Coupon, CouponUse

# How long one use per learner and line is reserved; reserving it again restarts the time.
RESERVATION_TTL = timedelta(minutes=30)
# Expired reservations that one transaction releases: it locks these uses and their coupons.
RELEASE_BATCH = 200
WHOLE_CART = 0
NO_ORDER = 0


@dataclass(frozen=True)
class ReservationSlot:
    """What a use is reserved for: a learner's line, or (product_id 0) their whole cart."""

    learner_id: int
    product_id: int = WHOLE_CART


def lock(session: Session, coupon_ids: Iterable[int]) -> None:
    """Lock these coupons' uses until the end of the transaction."""
    ids = sorted(set(coupon_ids))
    if ids:
        session.execute(select(Coupon.id).where(Coupon.id.in_(ids)).order_by(Coupon.id).with_for_update()).all()


def reserve(session: Session, terms: Terms, target: ReservationSlot, at: datetime) -> RefusalReason | None:
    """Reserve one use until `at` + RESERVATION_TTL; an existing reservation is renewed.

    None when it is reserved, else the reason why not. Checks only the limits: callers check the other rules before.
    """
    coupon_id = _id_of(terms)
    lock(session, [coupon_id])
    elsewhere = (CouponUse.learner_id == target.learner_id, CouponUse.product_id != target.product_id)
    _release(session, coupon_id, _expired(at, *elsewhere))
    if _renew(session, coupon_id, target, at):
        return None
    if not _try_count(session, coupon_id, at):
        return UNUSABLE
    if _insert_with_slot(session, terms, target, at):
        return None
    _uncount(session, coupon_id, 1)
    return None if _renew(session, coupon_id, target, at) else learner_limit_reached(terms)


def _id_of(terms: Terms) -> int:
    if terms.id is None:
        raise ValueError("only coupons have uses")
    return terms.id


def _of_line(coupon_id: int, target: ReservationSlot) -> ColumnElement[bool]:
    return and_(
        CouponUse.coupon_id == coupon_id,
        CouponUse.learner_id == target.learner_id,
        CouponUse.product_id == target.product_id,
        CouponUse.order_id == NO_ORDER,
    )


def _renew(session: Session, coupon_id: int, target: ReservationSlot, at: datetime) -> bool:
    """An expired reservation that is not released yet still has its slot: it is renewed like an active one."""
    is_own = _of_line(coupon_id, target)
    return (
        _changed(session, update(CouponUse).where(is_own).values(reserved_at=at, expires_at=at + RESERVATION_TTL)) == 1
    )


def _try_count(session: Session, coupon_id: int, at: datetime) -> bool:
    """Count one more use if one is left; when none is, expired reservations are released first."""
    if _count(session, coupon_id):
        return True
    is_expired = and_(CouponUse.coupon_id == coupon_id, _expired(at))
    ids = list(session.scalars(select(CouponUse.id).where(is_expired).limit(RELEASE_BATCH)))
    return bool(ids) and _release(session, coupon_id, CouponUse.id.in_(ids)) > 0 and _count(session, coupon_id)


def _count(session: Session, coupon_id: int) -> bool:
    is_left = or_(Coupon.total_limit.is_(None), Coupon.uses < Coupon.total_limit)
    counting = update(Coupon).where(Coupon.id == coupon_id, Coupon.state == "active", is_left)
    return _changed(session, counting.values(uses=Coupon.uses + 1)) == 1


def _uncount(session: Session, coupon_id: int, number: int) -> None:
    _changed(session, update(Coupon).where(Coupon.id == coupon_id).values(uses=Coupon.uses - number))


def _insert_with_slot(session: Session, terms: Terms, target: ReservationSlot, at: datetime) -> bool:
    """Insert a use with the learner's first free slot; False when none is free or the line has a use already."""
    coupon_id = _id_of(terms)
    taken = set(
        session.scalars(
            select(CouponUse.slot).where(CouponUse.coupon_id == coupon_id, CouponUse.learner_id == target.learner_id)
        )
    )
    last = terms.learner_limit if terms.learner_limit is not None else len(taken) + 3
    for slot in (slot for slot in range(1, last + 1) if slot not in taken):
        use = {"coupon_id": coupon_id, **vars(target), "order_id": NO_ORDER}
        try:
            with session.begin_nested():
                session.add(
                    CouponUse(**use, slot=slot, state="reserved", reserved_at=at, expires_at=at + RESERVATION_TTL)
                )
        except IntegrityError:
            # On MariaDB the slots that were read may be older than the lock: another tab of this learner used this one.
            continue
        return True
    return False


def release(session: Session, coupon_id: int, target: ReservationSlot) -> None:
    """Release the reservation of a line; uses of orders are not touched."""
    lock(session, [coupon_id])
    _release(session, coupon_id, _of_line(coupon_id, target))


def transfer_to_order(
    session: Session, coupon_id: int, target: ReservationSlot, order_id: int, until: datetime
) -> bool:
    """Transfer a line's reservation to an order until it is paid or cancelled; False when there is none."""
    is_reserved = and_(_of_line(coupon_id, target), CouponUse.state == "reserved")
    return _changed(session, update(CouponUse).where(is_reserved).values(order_id=order_id, expires_at=until)) == 1


def commit_order(session: Session, order_id: int) -> int:
    """Commit the uses of a paid order. Returns how many there were; a second call changes nothing."""
    is_reserved = and_(CouponUse.order_id == order_id, CouponUse.state == "reserved")
    return _changed(session, update(CouponUse).where(is_reserved).values(state="committed", expires_at=None))


def release_order(session: Session, order_id: int) -> int:
    """Release every use of a failed, cancelled or refunded order; a second call changes nothing."""
    if order_id == NO_ORDER:
        raise ValueError("0 is not the id of an order")
    of_order = CouponUse.order_id == order_id
    ids = sorted(set(session.scalars(select(CouponUse.coupon_id).where(of_order))))
    lock(session, ids)
    return sum(_release(session, coupon_id, of_order) for coupon_id in ids)


def release_expired(session: Session, at: datetime, limit: int = RELEASE_BATCH) -> int:
    """Release the `limit` reservations that expired first. Returns how many; 0 when there are no more.

    Only their coupons are locked. One that another transaction renewed or released before the lock is left alone.
    """
    oldest = select(CouponUse.id, CouponUse.coupon_id).where(_expired(at)).order_by(CouponUse.expires_at).limit(limit)
    rows = session.execute(oldest).all()
    if not rows:
        return 0
    lock(session, {row.coupon_id for row in rows})
    is_one = and_(CouponUse.id.in_([row.id for row in rows]), _expired(at))
    expired = session.execute(select(CouponUse.id, CouponUse.coupon_id).where(is_one).with_for_update()).all()
    if expired:
        _changed(session, delete(CouponUse).where(CouponUse.id.in_([row.id for row in expired])))
        _uncount_each(session, Counter(row.coupon_id for row in expired))
    return len(expired)


def _uncount_each(session: Session, numbers: Counter[int]) -> None:
    """Subtract from the counters of several coupons. `numbers`: coupon id -> number of uses."""
    number = case(dict(numbers), value=Coupon.id)
    _changed(session, update(Coupon).where(Coupon.id.in_(sorted(numbers))).values(uses=Coupon.uses - number))


def _expired(at: datetime, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(CouponUse.state == "reserved", CouponUse.expires_at <= at, *conditions)


def _release(session: Session, coupon_id: int, condition: ColumnElement[bool]) -> int:
    """Delete uses of a coupon and subtract them from its counter. By their ids: a range would lock rows beside it."""
    ids = list(session.scalars(select(CouponUse.id).where(CouponUse.coupon_id == coupon_id, condition)))
    if not ids:
        return 0
    deleted = _changed(session, delete(CouponUse).where(CouponUse.id.in_(ids), condition))
    if deleted:
        _uncount(session, coupon_id, deleted)
    return deleted


def _changed(session: Session, statement: Any) -> int:
    """Execute a statement and return the number of changed rows. No object of the session has to be updated."""
    result = session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", result).rowcount

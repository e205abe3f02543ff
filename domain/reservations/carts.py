"""Reservations of cart lines: half an hour from the last call, then released by whoever needs them, or by the clock."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, or_, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.pricing.rules import RefusalReason
from domain.reservations.counters import lock
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from domain.reservations.reservation_rows import RELEASE_BATCH, add, expired_of, is_expired, is_of, release_where
from domain.tables import Reservation

# How long units are reserved for a learner's line; reserving them again restarts the time.
RESERVATION_TTL = timedelta(minutes=30)


def reserve(
    session: Session, resource: Resource, owner: CartOwner, quantity: int, at: datetime
) -> RefusalReason | None:
    """Reserve units for a learner's line until `at` + RESERVATION_TTL; an existing reservation is renewed.

    None when they are reserved, else the reason why not. Checks only the limits: callers check the other rules before.
    """
    lock(session, [resource])
    release_where(
        session, or_(expired_of(resource, owner.learner_id, owner.key, at), _differs(resource, owner, quantity))
    )
    if _renew(session, resource, owner, at):
        return None
    columns = {**vars(owner), "owner_key": owner.key, "quantity": quantity, "expires_at": at + RESERVATION_TTL}
    reason = add(session, resource, columns, at)
    # Another tab may have reserved for the same line meanwhile.
    return None if reason is None or _renew(session, resource, owner, at) else reason


def _differs(resource: Resource, owner: CartOwner, quantity: int) -> ColumnElement[bool]:
    return and_(is_of(resource, owner.key), Reservation.quantity != quantity)


def _renew(session: Session, resource: Resource, owner: CartOwner, at: datetime) -> bool:
    """An expired reservation that is not released yet still has its units: it is renewed like an active one."""
    renewed = update(Reservation).where(is_of(resource, owner.key))
    return affected_rows(session, renewed.values(reserved_at=at, expires_at=at + RESERVATION_TTL)) == 1


def release(session: Session, resource: Resource, owner: CartOwner) -> None:
    """Release the reservation of a cart line; what an order has is not touched."""
    lock(session, [resource])
    release_where(session, is_of(resource, owner.key))


def release_carts_of(session: Session, learner_id: int) -> int:
    """Release all reservations of a learner's cart lines. Returns how many."""
    return release_where(session, and_(Reservation.learner_id == learner_id, Reservation.order_id.is_(None)))


def release_expired(session: Session, at: datetime, limit: int = RELEASE_BATCH) -> int:
    """Release the `limit` reservations that expired first. Returns how many; 0 when there are no more.

    Only their resources are locked. An order's reservation has no expiry and is never released by the clock.
    """
    return release_where(session, is_expired(at), limit)

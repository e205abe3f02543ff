"""Inserts and releases rows of `reservations` together with the counters of their resources."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedInsert
from domain.pricing.rules import RefusalReason
from domain.reservations.counters import give_back, lock, take
from domain.reservations.kinds import KINDS, KindName, LearnerLimit, Resource
from domain.tables import Reservation

# Expired reservations that one transaction releases: it locks these rows and their resources.
RELEASE_BATCH = 200

_ROW = PreparedInsert(Reservation)


def is_expired(at: datetime) -> ColumnElement[bool]:
    """Never true for an order's, which has no `expires_at`."""
    return Reservation.expires_at <= at


def is_of(resource: Resource, owner_key: str) -> ColumnElement[bool]:
    return and_(of_resource(resource), Reservation.owner_key == owner_key)


def of_resource(resource: Resource) -> ColumnElement[bool]:
    return and_(Reservation.kind == resource.kind, Reservation.resource_id == resource.id)


def expired_of(resource: Resource, learner_id: int, key: str, at: datetime) -> ColumnElement[bool]:
    """Expired reservations of a learner's other lines, which would count against their limit without reason."""
    is_own = Reservation.learner_id == learner_id
    return and_(of_resource(resource), is_own, is_expired(at), Reservation.owner_key != key)


def add(session: Session, resource: Resource, columns: dict[str, Any], at: datetime) -> RefusalReason | None:
    """Reserve units for the owner in `columns`, who has no row yet. None, or the reason why not.

    The resource must be locked. Expired reservations are released when nothing else is left.
    """
    kind, quantity = KINDS[resource.kind], columns["quantity"]
    if not _take_or_release(session, resource, quantity, at):
        return kind.refusal(session, resource.id)
    limit = None if kind.learner_limit is None else kind.learner_limit(session, resource.id)
    if _insert(session, resource, {**columns, "state": "reserved", "reserved_at": at}, limit):
        return None
    give_back(session, resource.kind, Counter({resource.id: quantity}))
    return kind.refusal(session, resource.id) if limit is None else limit.refusal


def _take_or_release(session: Session, resource: Resource, quantity: int, at: datetime) -> bool:
    if take(session, resource, quantity):
        return True
    condition = and_(of_resource(resource), is_expired(at))
    return release_where(session, condition, RELEASE_BATCH) > 0 and take(session, resource, quantity)


def _insert(session: Session, resource: Resource, columns: dict[str, Any], limit: LearnerLimit | None) -> bool:
    """Insert a row, with the learner's first free slot if uses are numbered; False when no slot is free."""
    row = {"kind": resource.kind, "resource_id": resource.id, **columns}
    if limit is None and columns.get("order_id") is not None:
        # The order is locked, and has no such row yet.
        _ROW.run(session, **row)
        return True
    slots = [None] if limit is None else _free_slots(session, resource, columns["learner_id"], limit.number)
    for slot in slots:
        try:
            with session.begin_nested():
                session.execute(insert(Reservation).values(**row, slot=slot))
        except IntegrityError:
            # On MariaDB the slots that were read may be older than the lock: another tab of this learner used this one.
            continue
        return True
    return False


def _free_slots(session: Session, resource: Resource, learner_id: int, limit: int | None) -> Iterator[int]:
    is_own = (of_resource(resource), Reservation.learner_id == learner_id)
    taken = set(session.scalars(select(Reservation.slot).where(*is_own)))
    last = len(taken) + 3 if limit is None else limit
    return (slot for slot in range(1, last + 1) if slot not in taken)


def release_where(session: Session, condition: ColumnElement[bool], limit: int | None = None) -> int:
    """Release the rows that fulfil a condition, those that expired first. Returns how many.

    A row that another transaction changed or released before the lock is left alone. By their ids: a range would lock
    rows beside it.
    """
    query = select(Reservation.id, Reservation.kind, Reservation.resource_id).where(condition)
    query = query if limit is None else query.order_by(Reservation.expires_at).limit(limit)
    rows = session.execute(query).all()
    if not rows:
        return 0
    lock(session, {Resource(cast("KindName", row.kind), row.resource_id) for row in rows})
    return _delete(session, [row.id for row in rows], condition)


def _delete(session: Session, ids: Sequence[int], condition: ColumnElement[bool]) -> int:
    columns = (Reservation.id, Reservation.kind, Reservation.resource_id, Reservation.quantity)
    current = select(*columns).where(Reservation.id.in_(ids), condition).with_for_update()
    rows = session.execute(current).all()
    if rows:
        affected_rows(session, delete(Reservation).where(Reservation.id.in_([row.id for row in rows])))
    for name in KINDS:
        units = Counter[int]()
        for row in rows:
            if row.kind == name:
                units[row.resource_id] += row.quantity
        if units:
            give_back(session, name, units)
    return len(rows)

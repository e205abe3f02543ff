"""Reservations of orders: claimed when the order is placed, committed when it is paid, released by a transition of the
order and never by a clock.

Callers lock the order first and then, with `lock`, every resource of the transaction.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Table, and_, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.database.prepared_change import ChangeByIds
from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.errors import DomainError
from domain.pricing.rules import RefusalReason
from domain.reservations.counters import give_back, lock
from domain.reservations.kinds import KINDS, KindName, Resource
from domain.reservations.owners import OrderOwner
from domain.reservations.reservation_rows import add, expired_of, is_of, release_where
from domain.tables import OrderLine, Reservation

_TABLE = cast("Table", Reservation.__table__)
_rows = _TABLE.c
_COLUMNS = (_rows.kind, _rows.resource_id, _rows.owner_key, _rows.quantity)
_IDS = PreparedSelect(select(_rows.id).where(_rows.order_id == bindparam("order")), first_number)
_LOCKED = SelectByIds(lambda ids: select(*_COLUMNS).where(_rows.id.in_(ids)).with_for_update(), tuple)
_ONE = PreparedSelect(
    select(_rows.id).where(
        _rows.kind == bindparam("kind"),
        _rows.resource_id == bindparam("resource"),
        _rows.owner_key == bindparam("owner"),
    ),
    first_number,
)
_COMMIT = ChangeByIds(
    lambda ids: (
        update(_TABLE)
        .where(_rows.id.in_(ids), _rows.state == bindparam("before"))
        .values({_rows.state: bindparam("after")})
    )
)


class ReservationsMissing(DomainError):
    """An order has fewer units than its lines need. `missing`: (resource, owner key) -> units that they need."""

    def __init__(self, order_id: int, missing: Mapping[tuple[Resource, str], int]):
        super().__init__(f"order {order_id} lacks reservations: {sorted(key for _, key in missing)}")
        self.missing = missing


def claim(session: Session, resource: Resource, owner: OrderOwner, quantity: int, at: datetime) -> RefusalReason | None:
    """Reserve units for an order, without an end. None, or the reason why not; a repeated call changes nothing.

    The cart's reservation under `owner.from_key` moves to the order if it is there, expired or not; else a new one is
    made. Only limits are checked.
    """
    lock(session, [resource])
    if _ONE.all(session, kind=resource.kind, resource=resource.id, owner=owner.key):
        return None
    place = {"order_id": owner.order_id, "line_id": owner.line_id, "owner_key": owner.key, "expires_at": None}
    if KINDS[resource.kind].learner_limit is not None:
        release_where(session, expired_of(resource, owner.learner_id, owner.from_key or owner.key, at))
    if owner.from_key is not None:
        movable = update(Reservation).where(is_of(resource, owner.from_key), Reservation.quantity == quantity)
        if affected_rows(session, movable.values(**place, reserved_at=at)) == 1:
            return None
        release_where(session, is_of(resource, owner.from_key))
    columns = {**place, "learner_id": owner.learner_id, "product_id": _product_id(session, owner), "quantity": quantity}
    return add(session, resource, columns, at)


def _product_id(session: Session, owner: OrderOwner) -> int | None:
    if owner.line_id is None or owner.product_id is not None:
        return owner.product_id
    return session.scalar(select(OrderLine.product_id).where(OrderLine.id == owner.line_id))


def of_order(session: Session, order_id: int) -> dict[tuple[Resource, str], int]:
    """(resource, owner key) -> units that an order has reserved or committed."""
    return _units(session.execute(select(*_COLUMNS).where(Reservation.order_id == order_id)).all())


def _units(rows: Sequence[Any]) -> dict[tuple[Resource, str], int]:
    return {
        (Resource(cast("KindName", kind), resource_id), owner_key): quantity
        for kind, resource_id, owner_key, quantity in rows
    }


def _resource(row: Any) -> Resource:
    return Resource(cast("KindName", row.kind), row.resource_id)


def commit(session: Session, order_id: int, needed: Mapping[tuple[Resource, str], int]) -> int:
    """Commit the reservations of a paid order. Returns how many changed; a second call changes nothing.

    `needed`: (resource, owner key) -> units that its lines need. Raises ReservationsMissing for fewer, and then nothing
    is changed.
    """
    ids = _IDS.all(session, order=order_id)
    # As they are now: what this transaction sees may be older than the lock on the order. By their ids: a range would
    # lock the place where the next order's rows go.
    present = _units(_LOCKED.all(session, ids))
    missing = {key: units for key, units in needed.items() if present.get(key, 0) < units}
    if missing:
        raise ReservationsMissing(order_id, missing)
    return _COMMIT.run(session, ids, before="reserved", after="committed")


def release_order(session: Session, order_id: int, line_ids: Collection[int] | None = None) -> int:
    """Release what an order has: all of it, or what whole lines have. Returns how many reservations; a second call
    changes nothing.

    Goods of a paid order stay taken until `restock`. The coupon of the whole cart goes with the last line that it
    lowered: no other line with its code is left that is neither ended nor wholly refunded.
    """
    is_open = or_(Reservation.state == "reserved", Reservation.kind.not_in(_not_returned()))
    condition = and_(Reservation.order_id == order_id, is_open)
    if line_ids is not None:
        condition = and_(condition, _is_of_lines(session, order_id, line_ids))
    return release_where(session, condition)


def _is_of_lines(session: Session, order_id: int, line_ids: Collection[int]) -> ColumnElement[bool]:
    is_of_line = Reservation.line_id.in_(line_ids)
    lowered = select(OrderLine.id).where(
        OrderLine.order_id == order_id,
        OrderLine.cart_code != "",
        OrderLine.id.not_in(line_ids),
        OrderLine.ended_at.is_(None),
        OrderLine.refunded_quantity < OrderLine.quantity,
    )
    is_last = session.scalar(lowered.limit(1)) is None
    return or_(is_of_line, Reservation.line_id.is_(None)) if is_last else is_of_line


def restock(session: Session, order_id: int, line_id: int, quantity: int) -> int:
    """Make returned goods of a paid line available again. Returns how many: at most what the line still has."""
    of_line = (Reservation.order_id == order_id, Reservation.line_id == line_id)
    columns = (Reservation.id, Reservation.kind, Reservation.resource_id, Reservation.quantity)
    rows = session.execute(select(*columns).where(*of_line, Reservation.kind.in_(_not_returned()))).all()
    lock(session, [_resource(row) for row in rows])
    ids = [row.id for row in rows]
    current = session.execute(select(*columns).where(Reservation.id.in_(ids)).with_for_update()).all() if ids else []
    return sum(_return_units(session, row, min(quantity, row.quantity)) for row in current)


def restockable(session: Session, order_id: int) -> set[int]:
    """The ids of an order's lines of which units can be for sale again: what they took is limited."""
    found: set[int] = set()
    for name in _not_returned():
        counter = KINDS[cast("KindName", name)].counter
        of_order = (Reservation.order_id == order_id, Reservation.kind == name, Reservation.line_id.is_not(None))
        query = select(Reservation.line_id).where(*of_order, Reservation.resource_id == _id_of(counter))
        found.update(session.scalars(query.where(counter.is_not(None))))
    return found


def _id_of(counter: Any) -> Any:
    """The key of the row whose counter it is."""
    (key,) = counter.class_.__table__.primary_key.columns
    return key


def _return_units(session: Session, row: Any, units: int) -> int:
    is_row = Reservation.id == row.id
    if units == row.quantity:
        affected_rows(session, delete(Reservation).where(is_row))
    else:
        affected_rows(session, update(Reservation).where(is_row).values(quantity=row.quantity - units))
    give_back(session, row.kind, Counter({row.resource_id: units}))
    return units


def _not_returned() -> list[str]:
    return [name for name, kind in KINDS.items() if not kind.returns_with_refund]

"""What a learner's open order has reserved: their cart counts it as its own, because placing the cart releases it."""

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.reservations.kinds import KindName
from domain.tables import Order, Reservation


def open_order_units(session: Session, learner_id: int, kind: KindName, ids: Collection[int]) -> dict[int, int]:
    """Id of the resource -> units that the learner's open order has, of those in `ids`."""
    if not ids:
        return {}
    query = (
        select(Reservation.resource_id, func.sum(Reservation.quantity))
        .join(Order, Order.id == Reservation.order_id)
        .where(Order.open_learner_id == learner_id)
        # The learner again: by an index with it, the reservations of others are not read.
        .where(Reservation.kind == kind, Reservation.resource_id.in_(ids), Reservation.learner_id == learner_id)
        .group_by(Reservation.resource_id)
    )
    return {resource_id: int(units) for resource_id, units in session.execute(query)}

"""What a learner's open order has reserved: their cart counts it as its own, because placing the cart releases it."""

from collections.abc import Collection

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import SelectByIds
from domain.reservations.kinds import KindName
from domain.tables import Order, Reservation

_rows = Reservation.__table__.c
_UNITS = SelectByIds(
    lambda ids: (
        select(_rows.resource_id, func.sum(_rows.quantity))
        .join(Order, Order.id == _rows.order_id)
        .where(Order.open_learner_id == bindparam("learner"))
        # The learner again: by an index with it, the reservations of others are not read.
        .where(_rows.kind == bindparam("kind"), _rows.learner_id == bindparam("learner"), _rows.resource_id.in_(ids))
        .group_by(_rows.resource_id)
    ),
    tuple,
)


def open_order_units(session: Session, learner_id: int, kind: KindName, ids: Collection[int]) -> dict[int, int]:
    """Id of the resource -> units that the learner's open order has, of those in `ids`."""
    rows = _UNITS.all(session, ids, learner=learner_id, kind=kind)
    return {resource_id: int(units) for resource_id, units in rows}

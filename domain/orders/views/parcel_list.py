"""Goods of paid orders as a list for staff: what is to pack, what is on its way, and what has arrived."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, func, select

from domain.database.list_page import ListSource
from domain.documents.postal_lines import postal_lines
from domain.tables import Learner, Order, OrderLine, OrderParcel, ParcelLine

ParcelState = Literal["to_send", "sent", "arrived", "cancelled"]
_lines, _orders, _learners = OrderLine.__table__.c, Order.__table__.c, Learner.__table__.c
_parcels, _packed = OrderParcel.__table__.c, ParcelLine.__table__.c
_PACKED = ParcelLine.__table__.join(OrderParcel.__table__, _parcels.id == _packed.parcel_id)


@dataclass(frozen=True)
class ParcelRow:
    """A line with goods. `quantity`: units that are to pack, or were sent; `sent`: units that were sent so far.
    `address`: its lines. `carriers` and `numbers`: of its parcels."""

    order_code: str
    name: str
    sku: str
    quantity: int
    sent: int
    buyer: str
    address: tuple[str, ...]
    paid_at: datetime | None
    shipped_at: datetime | None
    delivered_at: datetime | None
    carriers: str
    numbers: str
    state: ParcelState


def _row(cells: Iterable[Any]) -> ParcelRow:
    code, name, sku, quantity, refunded, sent, ended_at, buyer, delivery, paid_at, shipped_at, *rest = cells
    delivered_at, carriers, numbers = rest
    left = 0 if ended_at is not None else max(0, quantity - refunded - sent)
    state = _state(left, sent, delivered_at)
    return ParcelRow(
        order_code=code,
        name=name,
        sku=sku,
        quantity=left or sent or (quantity - refunded) or quantity,
        sent=sent,
        buyer=buyer or "",
        address=tuple(postal_lines(delivery or {})),
        paid_at=paid_at,
        shipped_at=shipped_at,
        delivered_at=delivered_at,
        carriers=carriers or "",
        numbers=numbers or "",
        state=state,
    )


def _state(left: int, sent: int, delivered_at: datetime | None) -> ParcelState:
    if left:
        return "to_send"
    if delivered_at is not None:
        return "arrived"
    return "sent" if sent else "cancelled"


_NOT_SENT = _lines.shipped_at.is_(None)
_IS_DUE = _lines.ended_at.is_(None) & (_lines.refunded_quantity + _lines.shipped_quantity < _lines.quantity)
_IS_DONE = _lines.ended_at.is_not(None) | (_lines.refunded_quantity + _lines.shipped_quantity >= _lines.quantity)
STATES: dict[str, ColumnElement[bool]] = {
    "to_send": _NOT_SENT & _IS_DUE,
    "sent": (_lines.shipped_quantity > 0) & _IS_DONE & _lines.delivered_at.is_(None),
    "arrived": _lines.delivered_at.is_not(None),
    "cancelled": (_lines.shipped_quantity == 0) & _IS_DONE,
}


def _of_parcels(column: Any) -> ColumnElement[str]:
    """What the parcels of a line say, but for those that say nothing."""
    texts = select(func.group_concat(func.nullif(column, "")))
    is_its = _packed.line_id == _lines.id
    return texts.select_from(_PACKED).where(is_its).correlate(OrderLine.__table__).scalar_subquery()


# No IN, whose values a prepared statement cannot hold.
_IS_GOODS = (_lines.fulfilment == "shipped", (_orders.state == "paid") | (_orders.state == "refunded"))
_FROM = OrderLine.__table__.join(Order.__table__, _orders.id == _lines.order_id)

# The newest first, and no page moves while people buy more.
PARCELS: ListSource[ParcelRow] = ListSource(
    rows=select(
        *(_orders.code, _lines.name, _lines.sku, _lines.quantity, _lines.refunded_quantity),
        *(_lines.shipped_quantity, _lines.ended_at),
        *(_learners.name, _orders.delivery, _orders.paid_at),
        *(_lines.shipped_at, _lines.delivered_at, _of_parcels(_parcels.carrier), _of_parcels(_parcels.tracking)),
    )
    .select_from(_FROM.outerjoin(Learner.__table__, _learners.id == _orders.learner_id))
    .where(*_IS_GOODS),
    counted=select(_lines.id).select_from(_FROM).where(*_IS_GOODS),
    make=_row,
    key=_lines.id,
    filters={"state": STATES.__getitem__},
    only_grows=True,
)

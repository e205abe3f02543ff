"""Goods of paid orders as a list for staff: what is to pack, what is on its way, and what has arrived."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, select

from domain.database.list_page import ListSource
from domain.documents.postal_lines import postal_lines
from domain.tables import Learner, Order, OrderLine

ParcelState = Literal["to_send", "sent", "arrived", "cancelled"]
_lines, _orders, _learners = OrderLine.__table__.c, Order.__table__.c, Learner.__table__.c


@dataclass(frozen=True)
class ParcelRow:
    """A line with goods. `quantity`: units that were not refunded before they were sent. `address`: its lines."""

    order_code: str
    name: str
    sku: str
    quantity: int
    buyer: str
    address: tuple[str, ...]
    paid_at: datetime | None
    shipped_at: datetime | None
    delivered_at: datetime | None
    carrier: str
    tracking: str
    is_cancelled: bool

    @property
    def state(self) -> ParcelState:
        if self.delivered_at is not None:
            return "arrived"
        if self.shipped_at is not None:
            return "sent"
        return "cancelled" if self.is_cancelled else "to_send"


def _row(cells: Iterable[Any]) -> ParcelRow:
    code, name, sku, quantity, refunded, ended_at, buyer, delivery, paid_at, shipped_at, *rest = cells
    left = quantity if shipped_at is not None else quantity - refunded
    delivered_at, carrier, tracking = rest
    return ParcelRow(
        order_code=code,
        name=name,
        sku=sku,
        quantity=left or quantity,
        buyer=buyer or "",
        address=tuple(postal_lines(delivery or {})),
        paid_at=paid_at,
        shipped_at=shipped_at,
        delivered_at=delivered_at,
        carrier=carrier,
        tracking=tracking,
        is_cancelled=ended_at is not None or left == 0,
    )


_NOT_SENT = _lines.shipped_at.is_(None)
_IS_DUE = _lines.ended_at.is_(None) & (_lines.refunded_quantity < _lines.quantity)
STATES: dict[str, ColumnElement[bool]] = {
    "to_send": _NOT_SENT & _IS_DUE,
    "sent": _lines.shipped_at.is_not(None) & _lines.delivered_at.is_(None),
    "arrived": _lines.delivered_at.is_not(None),
    "cancelled": _NOT_SENT & ~_IS_DUE,
}
# No IN, whose values a prepared statement cannot hold.
_IS_GOODS = (_lines.fulfilment == "shipped", (_orders.state == "paid") | (_orders.state == "refunded"))
_FROM = OrderLine.__table__.join(Order.__table__, _orders.id == _lines.order_id)

# The newest first, and no page moves while people buy more.
PARCELS: ListSource[ParcelRow] = ListSource(
    rows=select(
        *(_orders.code, _lines.name, _lines.sku, _lines.quantity, _lines.refunded_quantity, _lines.ended_at),
        *(_learners.name, _orders.delivery, _orders.paid_at),
        *(_lines.shipped_at, _lines.delivered_at, _lines.carrier, _lines.tracking),
    )
    .select_from(_FROM.outerjoin(Learner.__table__, _learners.id == _orders.learner_id))
    .where(*_IS_GOODS),
    counted=select(_lines.id).select_from(_FROM).where(*_IS_GOODS),
    make=_row,
    key=_lines.id,
    filters={"state": STATES.__getitem__},
    only_grows=True,
)

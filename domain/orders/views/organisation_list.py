"""The orders that were placed for one organisation, as a list for its managers."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select

from domain.database.list_page import ListSource
from domain.orders.views.state_texts import listed_text
from domain.tables import Document, Learner, Order

_orders, _learners = Order.__table__.c, Learner.__table__.c


class OrganisationOrder(NamedTuple):
    """One row; amounts in minor units. `invoices`: their numbers."""

    code: str
    state: str
    placed_at: datetime
    paid_at: datetime | None
    total: int
    refunded: int
    buyer: str
    purchase_order: str
    invoices: tuple[str, ...]

    @property
    def state_text(self) -> str:
        return listed_text(self.state, self.refunded, self.total)


def _row(cells: Iterable[Any]) -> OrganisationOrder:
    *values, numbers = cells
    # Few orders have several.
    invoices = () if not numbers else tuple(sorted(numbers.split(","))) if "," in numbers else (numbers,)
    return OrganisationOrder._make((*values, invoices))


_INVOICES = (
    select(func.group_concat(Document.number))
    .where(Document.order_id == _orders.id, Document.kind == "invoice")
    .scalar_subquery()
)
ORGANISATION_ORDERS: ListSource[OrganisationOrder] = ListSource(
    rows=select(
        *(_orders.code, _orders.state, _orders.placed_at, _orders.paid_at),
        *(_orders.total_minor, _orders.refunded_minor, _learners.name, _orders.purchase_order, _INVOICES),
    ).outerjoin_from(Order.__table__, Learner.__table__, _learners.id == _orders.learner_id),
    counted=select(_orders.id),
    make=_row,
    key=_orders.id,
    filters={"state": _orders.state.__eq__},
    tenant=_orders.organisation_id,
)

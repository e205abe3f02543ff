"""Refunds as a list for staff: requests that wait for a decision, those that failed, and all others."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from domain.database.list_page import ListSource
from domain.tables import Learner, Order, Refund

_refunds, _orders, _learners = Refund.__table__.c, Order.__table__.c, Learner.__table__.c


class RefundRow(NamedTuple):
    """Amounts in minor units. `note`: of whoever asked for it. `failure`: what the gateway said."""

    number: int
    state: str
    reason: str
    amount: int
    note: str
    failure: str
    requested_at: datetime
    changed_at: datetime
    order_code: str
    buyer: str


# The newest first, and no page moves while people ask for more.
REFUNDS = ListSource(
    rows=select(
        *(_refunds.number, _refunds.state, _refunds.reason, _refunds.amount_minor, _refunds.note, _refunds.failure),
        *(_refunds.requested_at, _refunds.changed_at),
        *(_orders.code, _learners.name),
    )
    .outerjoin_from(Refund.__table__, Order.__table__, _orders.id == _refunds.order_id)
    .outerjoin(Learner.__table__, _learners.id == _orders.learner_id),
    counted=select(_refunds.id),
    make=RefundRow._make,
    key=_refunds.id,
    filters={"state": _refunds.state.__eq__},
    only_grows=True,
)

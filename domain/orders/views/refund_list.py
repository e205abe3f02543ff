"""Refunds as a list for staff: requests that wait for a decision, those that failed, and all others."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from domain.database.list_page import ListSource
from domain.tables import DeclinedPart, Learner, Order, Refund

_refunds, _orders, _learners = Refund.__table__.c, Order.__table__.c, Learner.__table__.c
_declined = (
    select(func.sum(DeclinedPart.amount_minor, type_=_refunds.amount_minor.type))
    .where(DeclinedPart.refund_id == _refunds.id)
    .scalar_subquery()
)
# Filters requests that were approved in part, whatever became of the money.
IN_PART = "in_part"


def _has_state(state: str) -> ColumnElement[bool]:
    is_in_part = select(DeclinedPart.refund_id).where(DeclinedPart.refund_id == _refunds.id).exists()
    return is_in_part if state == IN_PART else _refunds.state == state


class RefundRow(NamedTuple):
    """Amounts in minor units; `declined`: of what was asked for and not given back, None: nothing was decided so.
    `note`: of whoever asked for it; `answer`: of whoever declined it, or a part. `failure`: what the gateway said."""

    number: int
    state: str
    reason: str
    amount: int
    declined: int | None
    note: str
    answer: str
    failure: str
    requested_at: datetime
    changed_at: datetime
    order_code: str
    buyer: str


# The newest first, and no page moves while people ask for more.
REFUNDS = ListSource(
    rows=select(
        *(_refunds.number, _refunds.state, _refunds.reason, _refunds.amount_minor, _declined),
        *(_refunds.note, _refunds.answer, _refunds.failure),
        *(_refunds.requested_at, _refunds.changed_at),
        *(_orders.code, _learners.name),
    )
    .outerjoin_from(Refund.__table__, Order.__table__, _orders.id == _refunds.order_id)
    .outerjoin(Learner.__table__, _learners.id == _orders.learner_id),
    counted=select(_refunds.id),
    make=RefundRow._make,
    key=_refunds.id,
    filters={"state": _has_state},
    only_grows=True,
)

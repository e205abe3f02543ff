"""Payments, and what differs between the gateway's transactions and ours, as lists for staff."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from domain.database.list_page import ListSource
from domain.tables import Learner, Order, Payment, PaymentFinding

_payments, _findings = Payment.__table__.c, PaymentFinding.__table__.c
_orders, _learners = Order.__table__.c, Learner.__table__.c


class PaymentRow(NamedTuple):
    """An attempt to pay. `amount` in minor units. `gateway_id`: of the payment at the gateway, `session_id`: of the
    page to pay on."""

    number: int
    state: str
    amount: int
    method: str
    failure: str
    gateway_id: str | None
    session_id: str | None
    created_at: datetime
    paid_at: datetime | None
    order_code: str
    buyer: str


class FindingRow(NamedTuple):
    """`kind` as in domain/orders/mails.py. `order_code` None: it is of no order that is known."""

    kind: str
    gateway_id: str
    detected_at: datetime
    resolved_at: datetime | None
    order_code: str | None


# Both grow at their end: no page moves while people pay.
PAYMENTS = ListSource(
    rows=select(
        *(_payments.number, _payments.state, _payments.amount_minor, _payments.method, _payments.failure),
        *(_payments.intent_id, _payments.session_id, _payments.created_at, _payments.paid_at),
        *(_orders.code, _learners.name),
    )
    .outerjoin_from(Payment.__table__, Order.__table__, _orders.id == _payments.order_id)
    .outerjoin(Learner.__table__, _learners.id == _orders.learner_id),
    counted=select(_payments.id),
    make=PaymentRow._make,
    key=_payments.id,
    filters={"state": _payments.state.__eq__},
    only_grows=True,
)
FINDINGS = ListSource(
    rows=select(
        *(_findings.kind, _findings.gateway_id, _findings.detected_at, _findings.resolved_at),
        _orders.code,
    ).outerjoin_from(PaymentFinding.__table__, Order.__table__, _orders.id == _findings.order_id),
    counted=select(_findings.id),
    make=FindingRow._make,
    key=_findings.id,
    filters={
        "state": lambda state: (
            _findings.resolved_at.is_(None) if state == "open" else _findings.resolved_at.is_not(None)
        )
    },
    only_grows=True,
)

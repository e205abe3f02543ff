"""The payment that settled an order."""

from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.tables import Order, OrderEvent, Payment

_events, _payments = OrderEvent.__table__.c, Payment.__table__.c
_SETTLED = PreparedSelect(
    select(_events.facts)
    .where(_events.order_id == bindparam("order"), _events.kind == "settle")
    .order_by(_events.number.desc())
    .limit(1),
    lambda row: dict(next(iter(row))),
)
_METHOD = PreparedSelect(
    select(_payments.method).where(_payments.order_id == bindparam("order"), _payments.number == bindparam("number")),
    lambda row: str(next(iter(row))),
)


def settling_method(session: Session, order_id: int) -> str:
    """How the order was paid, "" when nothing is known of it."""
    facts: dict[str, Any] = next(iter(_SETTLED.all(session, order=order_id)), {})
    methods = _METHOD.all(session, order=order_id, number=facts.get("payment"))
    return next(iter(methods), "")


def settling_payment(session: Session, order: Order) -> Payment | None:
    """None before the order is settled, and for an order of nothing. Other payments of it may be paid too: with a wrong
    amount, too late or a second time. They go back."""
    settled = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind == "settle")
    facts = session.scalars(settled.order_by(OrderEvent.number.desc()).limit(1)).first() or {}
    query = select(Payment).where(Payment.order_id == order.id, Payment.number == facts.get("payment"))
    return session.scalars(query).one_or_none()

"""The payment that settled an order."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Order, OrderEvent, Payment


def settling_payment(session: Session, order: Order) -> Payment | None:
    """None before the order is settled, and for an order of nothing. Other payments of it may be paid too: with a wrong
    amount, too late or a second time. They go back."""
    settled = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind == "settle")
    facts = session.scalars(settled.order_by(OrderEvent.number.desc()).limit(1)).first() or {}
    query = select(Payment).where(Payment.order_id == order.id, Payment.number == facts.get("payment"))
    return session.scalars(query).one_or_none()

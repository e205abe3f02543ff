"""What a payment gateway would have of the demo's payments. No gateway has them: their `gateway` is `demo`, and nothing
is polled or reconciled."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.settings import OrderSettings
from domain.payments import attempts, settlement
from domain.payments.gateway import DisputeSnapshot, Reference, RefundProgress, RefundSnapshot, Snapshot
from domain.tables import Order, Payment

UID = "demo"
CARD, DEBIT = "Visa 4242", "SEPA debit 3000"
# Refunds that the gateway knows; the others wait for a person, or were declined.
KNOWN = ("approved", "sent", "pending", "succeeded")


@dataclass(frozen=True)
class DemoShop:
    """As settlement wants to know it."""

    settings: OrderSettings
    uid: str = UID


def report(session: Session, order: Order, shop: DemoShop, at: datetime, **facts: Any) -> None:
    """Settle the newest payment of an order with what the gateway has of it: paid by card, unless `facts` say else."""
    payment = session.scalars(
        select(Payment).where(Payment.order_id == order.id).order_by(Payment.number.desc()).limit(1)
    ).one()
    ref = attempts.ref_by_id(session, payment.id)
    if ref is None:
        raise AssertionError(order.code)
    settlement.apply(session, ref, _snapshot(order, payment, at, **facts), shop, at)


def _snapshot(order: Order, row: Payment, at: datetime, **facts: Any) -> Snapshot:
    name = f"{UID}_{order.code}_{row.number}"
    known: dict[str, Any] = {
        "session_id": f"cs_{name}",
        "state": "complete",
        "payment": "paid",
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "livemode": False,
        "expires_at": row.created_at + timedelta(minutes=31),
        "reference": Reference(UID, order.code, row.number),
        "intent_id": f"pi_{name}",
        "charge_id": f"ch_{name}",
        "paid_at": row.paid_at or at,
        "method": row.method or CARD,
    }
    return Snapshot(**{**known, **facts})


def refund_snapshots(
    session: Session, order: Order, state: RefundProgress, at: datetime, failure: str = ""
) -> tuple[RefundSnapshot, ...]:
    """All refunds of the order that the gateway knows, in this state."""
    return tuple(
        RefundSnapshot(
            id=f"re_{UID}_{order.code}_{refund.number}",
            state=state,
            amount_minor=refund.amount_minor,
            currency=order.currency,
            created_at=refund.requested_at,
            reference=Reference(UID, order.code, 1, refund.number),
            failure=failure,
        )
        for refund in refunds_of(session, order.id)
        if refund.state in KNOWN and refund.amount_minor
    )


def dispute_snapshot(order: Order, outcome: Literal["open", "won", "lost"], at: datetime) -> DisputeSnapshot:
    """The buyer's bank withdraws all of it at once, and gives it back where the shop wins."""
    return DisputeSnapshot(
        id=f"dp_{UID}_{order.code}",
        state="open" if outcome == "open" else "closed",
        amount_minor=order.total_minor,
        currency=order.currency,
        created_at=at,
        reason="product_not_received",
        taken_minor=0 if outcome == "won" else order.total_minor,
        movements=2 if outcome == "won" else 1,
    )

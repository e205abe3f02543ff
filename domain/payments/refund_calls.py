"""What the gateway is told about a refund, and what it answered. Before the gateway is called, the refund's row says
that it may have been sent."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import RefundItem, decode
from contracts.tasks import OutboxKind
from domain.bank_transfers.account import TRANSFER
from domain.orders import notices
from domain.orders.locks import lock_order
from domain.orders.refunds import gateway_results
from domain.orders.settings import Context, OrderSettings
from domain.payments.attempts import PayingShop, PaymentRef
from domain.payments.gateway import DEMO_GATEWAY, Reference, RefundRequest, RefundSnapshot
from domain.tables import Order, Outbox, Payment, Refund

# Only these are to be sent: what comes later is the gateway's.
TO_SEND = ("approved", "sent")
# A row of the outbox is written with the approval, and handled within seconds.
STUCK_AFTER = timedelta(minutes=10)
NOT_SENT = "Given up; look at the gateway before you pay it in another way."


@dataclass(frozen=True)
class RefundRef:
    """A refund with what the locks need."""

    id: int
    payment: PaymentRef


@dataclass(frozen=True)
class StuckRefund:
    """`error`: of its dead row of the outbox; None: it has no row."""

    ref: RefundRef
    error: str | None


def ref_of(session: Session, refund_id: int) -> RefundRef | None:
    """None for an unknown refund, and for one without a payment."""
    columns = select(Payment.id, Refund.order_id, Order.learner_id)
    joined = columns.join(Order, Order.id == Refund.order_id).join(Payment, Payment.id == Refund.payment_id)
    row = session.execute(joined.where(Refund.id == refund_id)).first()
    return None if row is None else RefundRef(refund_id, PaymentRef(*row))


def prepare(session: Session, ref: RefundRef, shop: PayingShop, at: datetime) -> RefundRequest | None:
    """Mark the refund as sent. None when it is not, or no longer, to be sent; one of the demo's succeeds here."""
    order, refund = _lock(session, ref)
    payment = session.get_one(Payment, ref.payment.id)
    if refund.state not in TO_SEND or refund.gateway_id or payment.intent_id is None:
        return None
    was_sent = refund.state == "sent"
    gateway_results.mark_sent(session, refund, at)
    if payment.gateway == DEMO_GATEWAY:
        _succeed(session, order, refund, Context(at, shop.settings))
        return None
    return RefundRequest(
        key=refund.key,
        reference=Reference(shop.uid, order.code, payment.number, refund.number),
        intent_id=payment.intent_id,
        currency=payment.currency,
        amount_minor=refund.amount_minor,
        was_sent=was_sent,
    )


def _succeed(session: Session, order: Order, refund: Refund, context: Context) -> None:
    """A refund of the demo's money, for which no gateway is called."""
    key = f"re_{DEMO_GATEWAY}_{refund.key}"
    snapshot = RefundSnapshot(key, "succeeded", refund.amount_minor, order.currency, context.at)
    gateway_results.record(session, order, refund, snapshot, context)


def record(session: Session, ref: RefundRef, snapshot: RefundSnapshot, settings: OrderSettings, at: datetime) -> None:
    """The gateway has the refund."""
    order, refund = _lock(session, ref)
    gateway_results.record(session, order, refund, snapshot, Context(at, settings))


def refuse(session: Session, ref: RefundRef, failure: str, at: datetime) -> None:
    """The gateway refused the refund for good: people pay it back another way."""
    order, refund = _lock(session, ref)
    gateway_results.refuse(session, order, refund, failure, at)


def stuck(session: Session, at: datetime, limit: int) -> list[StuckRefund]:
    """Refunds that are still to be sent a while after they were approved, and whose row of the outbox is dead or gone:
    money waits for them, so that they are found by their state."""
    is_stuck = (Refund.state.in_(TO_SEND), Refund.gateway_id.is_(None), Refund.changed_at <= at - STUCK_AFTER)
    of_gateways = select(Refund.id).join(Payment, Payment.id == Refund.payment_id).where(Payment.gateway != TRANSFER)
    ids = list(session.scalars(of_gateways.where(*is_stuck).order_by(Refund.changed_at).limit(limit)))
    if not ids:
        return []
    kind = OutboxKind.SEND_REFUND
    is_of_refunds = (Outbox.topic == str(kind.topic), Outbox.kind == str(kind), Outbox.done_at.is_(None))
    rows = {
        decode(RefundItem, row.body).refund_id: row for row in session.scalars(select(Outbox).where(*is_of_refunds))
    }
    waiting = {id_ for id_, row in rows.items() if row.dead_at is None}
    refs = {id_: ref_of(session, id_) for id_ in ids if id_ not in waiting}
    return [
        StuckRefund(ref, rows[id_].error or "" if id_ in rows else None) for id_, ref in refs.items() if ref is not None
    ]


def resume(session: Session, refund: StuckRefund, at: datetime) -> None:
    """Have a refund sent whose row is gone; one whose row is dead becomes a failed one, which staff are told of."""
    order, row = _lock(session, refund.ref)
    if row.state not in TO_SEND or row.gateway_id:
        return
    if refund.error is None:
        notices.send_refund(session, row, at)
    else:
        gateway_results.refuse(session, order, row, f"{NOT_SENT} {refund.error}", at)


def _lock(session: Session, ref: RefundRef) -> tuple[Order, Refund]:
    order = lock_order(session, ref.payment.learner_id, ref.payment.order_id)
    query = select(Refund).where(Refund.id == ref.id).with_for_update()
    return order, session.scalars(query, execution_options={"populate_existing": True}).one()

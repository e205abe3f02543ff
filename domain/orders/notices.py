"""Outbox rows of orders: mails about them, and calls to the gateway. Each is written in the transaction of the change
that it follows, and names rows by their ids alone."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from contracts.payloads import OrderItem, PaymentItem, RefundItem
from contracts.tasks import OutboxKind
from domain.orders.settings import OrderSettings
from domain.outbox import queue as outbox_queue
from domain.tables import Order, Payment, Refund

# Buyers are reminded so long before their time ends, or at its half where it is short.
REMIND_BEFORE = timedelta(days=3)


def order_paid(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    mail_order(session, OutboxKind.ORDER_PAID, order, at)


def order_received(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    mail_order(session, OutboxKind.ORDER_RECEIVED, order, at)


def payment_failed(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    mail_order(session, OutboxKind.PAYMENT_FAILED, order, at)


def transfer_due(session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    """Where to transfer the money, now and once more before the time ends; the second says nothing to whoever has paid
    by then."""
    mail_order(session, OutboxKind.TRANSFER_DUE, order, at)
    wait = settings.transfer_time
    mail_order(session, OutboxKind.TRANSFER_REMINDER, order, at + wait - min(REMIND_BEFORE, wait / 2))


def mail_order(session: Session, kind: OutboxKind, order: Order, at: datetime) -> None:
    """A mail about an order, to the learner or to staff, as its kind says."""
    outbox_queue.enqueue(session, kind, OrderItem(order_id=order.id), at)


def mail_refund(session: Session, kind: OutboxKind, refund: Refund, at: datetime) -> None:
    outbox_queue.enqueue(session, kind, RefundItem(refund_id=refund.id), at)


def send_refund(session: Session, refund: Refund, at: datetime) -> None:
    """Have the gateway pay the money back."""
    outbox_queue.enqueue(session, OutboxKind.SEND_REFUND, RefundItem(refund_id=refund.id), at)


def expire_payment(session: Session, payment: Payment, at: datetime) -> None:
    """Have the gateway close the hosted page of a payment."""
    outbox_queue.enqueue(session, OutboxKind.EXPIRE_PAYMENT, PaymentItem(payment_id=payment.id), at)

"""What an order that is not paid gives back: its reservations, and its hosted pages."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.database.database import affected_rows
from domain.database.prepared_select import PreparedSelect, first_number
from domain.orders import notices
from domain.orders.settings import OrderSettings
from domain.reservations.orders import release_order
from domain.tables import BankEntry, Order, Payment

OPEN_PAYMENTS = ("new", "open", "processing")
_payments = Payment.__table__.c
# A paid order has no open payment: then no ORM object is made.
_OPEN = PreparedSelect(
    select(_payments.id).where(
        _payments.order_id == bindparam("order"), or_(*(_payments.state == state for state in OPEN_PAYMENTS))
    ),
    first_number,
)


def release_reservations(session: Session, order: Order, _at: datetime, _settings: OrderSettings) -> None:
    release_order(session, order.id)


def close_payments(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    """Close what can still be paid. A payment that completes before is settled, and refunded if it buys nothing."""
    for payment in open_payments(session, order.id) if _OPEN.all(session, order=order.id) else ():
        if payment.gateway == TRANSFER:
            _end_transfer(session, payment, at)
        else:
            notices.expire_payment(session, payment, at)


def _end_transfer(session: Session, payment: Payment, at: datetime) -> None:
    """No page has to be closed. Of money that came in part somebody decides."""
    payment.state = "expired"
    parts = update(BankEntry).where(BankEntry.order_id == payment.order_id, BankEntry.state == "part")
    affected_rows(session, parts.values(state="open", why="ended", used_minor=0, changed_at=at))


def awaits_transfer(order: Order, payments: Iterable[Payment]) -> bool:
    """Whether the order waits for a bank transfer. `payments`: of the order."""
    has_transfer = any(row.gateway == TRANSFER and row.state == "processing" for row in payments)
    return order.state == "processing" and has_transfer


def open_payments(session: Session, order_id: int) -> list[Payment]:
    """The payments of an order that may still bring money, the first one first."""
    query = select(Payment).where(Payment.order_id == order_id, Payment.state.in_(OPEN_PAYMENTS))
    return list(session.scalars(query.order_by(Payment.number)))

"""The state of an order: all that may be known of it without a sign-in."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders.expiry import UNKNOWN_ORDER
from domain.orders.settings import DEFAULT_SETTINGS, MIN_TIME_LEFT, OrderSettings
from domain.orders.transfers import transfer_view
from domain.orders.views.records import Returned, StatusView
from domain.orders.views.state_texts import state_text
from domain.tables import Order, Payment, Refund

# These bring no more money.
ENDED_PAYMENTS = ("paid", "failed", "expired", "void")


def own_order(session: Session, learner_id: int, code: str) -> Order:
    """The condition names the owner, so that an unknown order and another's cannot be told apart. Raises NotFound."""
    order = session.scalar(select(Order).where(Order.code == code.upper(), Order.learner_id == learner_id))
    if order is None:
        raise NotFound(UNKNOWN_ORDER)
    return order


def status_view(
    session: Session, learner_id: int, code: str, at: datetime, settings: OrderSettings = DEFAULT_SETTINGS
) -> StatusView:
    """Raises NotFound for an unknown order and for that of somebody else alike."""
    order = own_order(session, learner_id, code)
    payments = payments_of(session, order.id)
    refunds = session.execute(select(Refund.reason, Refund.state).where(Refund.order_id == order.id))
    can_pay = payable(order, payments, at, settings)
    transfer = transfer_view(session, order, payments, settings.bank, settings.locale)
    text = state_text(order, [Returned(*refund) for refund in refunds], can_pay=can_pay, transfer=transfer)
    return StatusView(
        code=order.code,
        state=order.state,
        state_text=text.text,
        next_step=text.next_step,
        tone=text.tone,
        can_pay=can_pay,
        has_page=any(payment.session_id is not None for payment in payments),
        is_settling=_is_settling(order, payments),
        reserved_until=order.reserved_until,
    )


def payments_of(session: Session, order_id: int) -> list[Payment]:
    """All attempts to pay an order, the first one first."""
    query = select(Payment).where(Payment.order_id == order_id).order_by(Payment.number)
    return list(session.scalars(query))


def payable(order: Order, payments: Sequence[Payment], at: datetime, settings: OrderSettings) -> bool:
    """Whether the learner can be sent to a hosted page: to one that is open, or to a new one that may still be opened
    (domain/payments/attempts.py). `payments`: all of the order's."""
    if order.state != "placed" or not payments:
        return False
    last = payments[-1]
    is_open = last.state == "open" and last.expires_at is not None and last.expires_at > at + MIN_TIME_LEFT
    is_opening = last.leased_until is not None and last.leased_until > at
    latest = max(order.reserved_until or at, order.placed_at + settings.max_reservation)
    return is_open or is_opening or at + settings.first_reservation <= latest


def _is_settling(order: Order, payments: Sequence[Payment]) -> bool:
    """A debit takes days: nobody waits for it."""
    return order.state == "placed" or (
        order.state in ("expired", "cancelled") and any(payment.state not in ENDED_PAYMENTS for payment in payments)
    )

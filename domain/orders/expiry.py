"""Orders that end without a payment: their time is over, or their learner gives them up. When the time is over, their
hosted pages are closed at the gateway first (domain/payments/polling.py)."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders import events, states
from domain.orders.closing import OPEN_PAYMENTS, awaits_transfer, open_payments
from domain.orders.locks import lock_learner, lock_order, lock_row
from domain.orders.settings import Context
from domain.tables import Order, Payment

# The one text for unknown, foreign and malformed codes.
UNKNOWN_ORDER = "There is no such order in your account."
# Why an order in this state is not cancelled.
NOT_CANCELLED = {
    "processing": "Your bank is making the payment: the order cannot be cancelled until we know how that ends.",
    "paid": "This order is paid. You can ask for a refund on its page.",
    "expired": "This order has ended already: its time to pay is over.",
    "refunded": "This order has ended already: it was refunded.",
}


@dataclass(frozen=True)
class DueOrder:
    """An order past `reserved_until`, with what its locks need."""

    id: int
    learner_id: int


def due(session: Session, at: datetime, limit: int, long_due: datetime) -> list[DueOrder]:
    """The orders whose time ended first. An order whose page somebody opens or closes now is left out, unless its time
    ended before `long_due`: pages that cannot be closed hold up no other order."""
    is_leased = (Payment.order_id == Order.id, Payment.state.in_(OPEN_PAYMENTS), Payment.leased_until > at)
    can_expire = or_(Order.reserved_until <= long_due, ~exists().where(*is_leased))
    is_due = (Order.state.in_(("placed", "processing")), Order.reserved_until <= at, can_expire)
    rows = session.execute(
        select(Order.id, Order.learner_id).where(*is_due).order_by(Order.reserved_until).limit(limit)
    )
    return [DueOrder(*row) for row in rows]


def expire(session: Session, due_order: DueOrder, context: Context, *, with_open_page: bool = False) -> bool:
    """Expire an order, as the first statements of a transaction. False when its time was extended meanwhile, when it is
    in another state, or while one of its hosted pages is open: those are closed before. `with_open_page`: also then,
    because the gateway could not be reached for a day; a payment on that page would be late."""
    order = lock_order(session, due_order.learner_id, due_order.id)
    if order.reserved_until is None or order.reserved_until > context.at:
        return False
    if not with_open_page and any(_is_open(payment, context.at) for payment in open_payments(session, order.id)):
        return False
    return (
        states.advance(session, order, "expire", context.at, actor=events.SYSTEM, facts={}, settings=context.settings)
        is not None
    )


def _is_open(payment: Payment, at: datetime) -> bool:
    """A page is open, or is being opened. A debit that is still under way by now does not count."""
    is_opening = payment.leased_until is not None and payment.leased_until > at
    return payment.state == "open" or (payment.state == "new" and is_opening)


def cancel(session: Session, due_order: DueOrder, event: str, actor: str, context: Context) -> bool:
    """Cancel a placed order by its learner or by staff (`event`: cancel). Its pages are closed after the commit; a
    payment that was faster is late. False when it is no longer placed, and waits for no bank transfer."""
    order = lock_order(session, due_order.learner_id, due_order.id)
    if event == "cancel":
        event = cancelling_event(session, order) or event
    return (
        states.advance(session, order, event, context.at, actor=actor, facts={}, settings=context.settings) is not None
    )


def cancelling_event(session: Session, order: Order) -> str | None:
    """What cancels an order that is not paid; None for one that cannot be cancelled, such as while a debit is under
    way. An order that waits for a bank transfer can, until its money is here."""
    if order.state == "placed":
        return "cancel"
    return "cancel_transfer" if awaits_transfer(order, open_payments(session, order.id)) else None


def cancel_own(session: Session, learner_id: int, code: str, context: Context) -> str | None:
    """Cancel the learner's order, as the first statements of a transaction. None when it is cancelled, now or before,
    else why not. Raises NotFound for an unknown order and another's alike."""
    lock_learner(session, learner_id)
    order_id = session.scalar(select(Order.id).where(Order.code == code.upper(), Order.learner_id == learner_id))
    if order_id is None:
        raise NotFound(UNKNOWN_ORDER)
    order, settings = lock_row(session, learner_id, order_id), context.settings
    if (event := cancelling_event(session, order)) is not None:
        states.advance(session, order, event, context.at, actor=events.LEARNER, facts={}, settings=settings)
    return NOT_CANCELLED.get(order.state)

"""What a transition of an order causes, each effect a function, in the transaction of the transition."""

from collections.abc import Callable
from datetime import datetime
from enum import Enum, auto

from sqlalchemy.orm import Session

from domain.orders import closing, fulfilment, notices
from domain.orders.settings import OrderSettings
from domain.tables import Order


class Effect(Enum):
    OPEN = auto()
    CLOSE = auto()
    RESERVE_FOR_PAYING = auto()
    RESERVE_FOR_PAYING_AGAIN = auto()
    RESERVE_FOR_DEBIT = auto()
    RESERVE_FOR_TRANSFER = auto()
    REMOVE_CART_LINES = auto()
    COMMIT_RESERVATIONS = auto()
    RELEASE_RESERVATIONS = auto()
    GIVE = auto()
    TAKE_BACK = auto()
    ISSUE_INVOICE = auto()
    CLOSE_PAYMENTS = auto()
    MAIL_PAID = auto()
    MAIL_RECEIVED = auto()
    MAIL_FAILED = auto()
    ASK_TRANSFER = auto()


# These come before the order's row is written: who waits for what they lock must have written nothing that others look
# at (docs/decisions/0104).
BEFORE_THE_ROW = frozenset({Effect.REMOVE_CART_LINES, Effect.RELEASE_RESERVATIONS})
# These set columns of the order's row, which is then written once, with its new state.
OF_THE_ROW = frozenset(
    {
        Effect.OPEN,
        Effect.CLOSE,
        Effect.RESERVE_FOR_PAYING,
        Effect.RESERVE_FOR_PAYING_AGAIN,
        Effect.RESERVE_FOR_DEBIT,
        Effect.RESERVE_FOR_TRANSFER,
    }
)
Run = Callable[[Session, Order, datetime, OrderSettings], object]


def carry_out(effect: Effect, session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    RUNS[effect](session, order, at, settings)


def _open(_session: Session, order: Order, _at: datetime, _settings: OrderSettings) -> None:
    order.open_learner_id = order.learner_id


def _close(_session: Session, order: Order, _at: datetime, _settings: OrderSettings) -> None:
    order.open_learner_id = None


def _reserve_for_paying(_session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    order.reserved_until = at + settings.first_reservation


def _reserve_for_paying_again(_session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    order.reserved_until = at + settings.pay_again_time


def _reserve_for_debit(_session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    order.reserved_until = (order.reserved_until or at) + settings.debit_time


def _reserve_for_transfer(_session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    order.reserved_until = at + settings.transfer_time


RUNS: dict[Effect, Run] = {
    Effect.OPEN: _open,
    Effect.CLOSE: _close,
    Effect.RESERVE_FOR_PAYING: _reserve_for_paying,
    Effect.RESERVE_FOR_PAYING_AGAIN: _reserve_for_paying_again,
    Effect.RESERVE_FOR_DEBIT: _reserve_for_debit,
    Effect.RESERVE_FOR_TRANSFER: _reserve_for_transfer,
    Effect.REMOVE_CART_LINES: fulfilment.remove_cart_lines,
    Effect.COMMIT_RESERVATIONS: fulfilment.commit_reservations,
    Effect.RELEASE_RESERVATIONS: closing.release_reservations,
    Effect.GIVE: fulfilment.give,
    Effect.TAKE_BACK: fulfilment.take_back_all,
    Effect.ISSUE_INVOICE: fulfilment.issue_invoice,
    Effect.CLOSE_PAYMENTS: closing.close_payments,
    Effect.MAIL_PAID: notices.order_paid,
    Effect.MAIL_RECEIVED: notices.order_received,
    Effect.MAIL_FAILED: notices.payment_failed,
    Effect.ASK_TRANSFER: notices.transfer_due,
}

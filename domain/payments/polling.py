"""When the gateway is asked about a payment, in case an event does not arrive: soon after its page was opened, then
less and less often."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedChange
from domain.payments.attempts import PaymentRef
from domain.tables import Order, Payment

# What still may bring money. A page of an order that has ended is polled too.
POLLED = ("new", "open", "processing")
WAITS = (
    *(timedelta(seconds=15), timedelta(seconds=30)),
    *(timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15)),
    *(timedelta(hours=1), timedelta(hours=6), timedelta(hours=24)),
)
# After a poll without an answer.
RETRY = timedelta(seconds=30)
# How long nobody else closes the pages of an order, also when the gateway cannot be reached.
CLOSING_LEASE = timedelta(minutes=5)
# An order whose pages cannot be closed for so long expires without.
CLOSE_WITHIN = timedelta(hours=24)
_payments = Payment.__table__.c
_STOP = PreparedChange(
    update(cast("Table", Payment.__table__))
    .where(_payments.id == bindparam("payment"), *(_payments.state != state for state in POLLED))
    .values({_payments.poll_at: None})
)


def wait_after(polls: int) -> timedelta:
    """Until the next poll, after so many: the last wait is repeated."""
    return WAITS[min(polls, len(WAITS) - 1)]


def lease_due(session: Session, at: datetime, limit: int) -> list[PaymentRef]:
    """The payments that are due, each with its next time: of several runners one gets each."""
    columns = select(Payment.id, Payment.order_id, Order.learner_id, Payment.poll_at, Payment.polls)
    is_due = (Payment.poll_at <= at, Payment.state.in_(POLLED), Payment.gateway != TRANSFER)
    query = columns.join(Order, Order.id == Payment.order_id).where(*is_due).order_by(Payment.poll_at).limit(limit)
    due = []
    for payment_id, order_id, learner_id, poll_at, polls in session.execute(query).all():
        is_unchanged = (Payment.id == payment_id, Payment.poll_at == poll_at)
        following = {"poll_at": at + wait_after(polls), "polls": polls + 1}
        if affected_rows(session, update(Payment).where(*is_unchanged).values(**following)):
            due.append(PaymentRef(payment_id, order_id, learner_id))
    return due


def retry_soon(session: Session, ref: PaymentRef, at: datetime) -> None:
    """The gateway could not say anything about a payment: ask again after RETRY, not after the wait of a poll."""
    is_later = (Payment.id == ref.id, Payment.poll_at > at + RETRY)
    affected_rows(session, update(Payment).where(*is_later).values(poll_at=at + RETRY))


def stop(session: Session, ref: PaymentRef) -> None:
    """No more polls of a payment that can bring no more money."""
    _STOP.run(session, payment=ref.id)


def lease_pages(session: Session, order_ids: Iterable[int], at: datetime) -> list[PaymentRef]:
    """The payments of orders past their time that may still bring money, for one runner each; those that somebody
    opens or closes now are left out."""
    columns = select(Payment.id, Payment.order_id, Order.learner_id).join(Order, Order.id == Payment.order_id)
    has_page = (Payment.state.in_(POLLED), Payment.gateway != TRANSFER)
    query = columns.where(Payment.order_id.in_(list(order_ids)), *has_page).order_by(Payment.id)
    leased = []
    for row in session.execute(query).all():
        is_free = (Payment.id == row.id, (Payment.leased_until.is_(None)) | (Payment.leased_until <= at))
        values = {"leased_until": at + CLOSING_LEASE, "lease_token": None}
        if affected_rows(session, update(Payment).where(*is_free).values(**values)):
            leased.append(PaymentRef(row.id, row.order_id, row.learner_id))
    return leased


def is_long_due(session: Session, order_id: int, at: datetime) -> bool:
    """The pages of an order could not be closed for a day: it expires without."""
    is_due = (Order.id == order_id, Order.reserved_until <= at - CLOSE_WITHIN)
    return session.scalar(select(Order.id).where(*is_due)) is not None


def end_lease(session: Session, ref: PaymentRef) -> None:
    """The page is closed: the order need not wait until the lease ends."""
    affected_rows(session, update(Payment).where(Payment.id == ref.id).values(leased_until=None, lease_token=None))

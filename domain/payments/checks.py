"""Who looks at the gateway for somebody who waits for their payment: one process at a time, and not too often."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.database.database import affected_rows
from domain.payments.attempts import PaymentRef
from domain.payments.polling import POLLED
from domain.tables import Order, Payment

CHECK_EVERY = timedelta(seconds=3)


def due(session: Session, learner_id: int, code: str, at: datetime) -> PaymentRef | None:
    """The newest payment of this learner's order that may still bring money, if nobody has looked at it in the last
    CHECK_EVERY. None also while its page is being opened: the gateway may not know it yet."""
    columns = select(Payment.id, Payment.order_id, Order.learner_id).join(Order, Order.id == Payment.order_id)
    is_own = (Order.learner_id == learner_id, Order.code == code.upper())
    is_asked = (Payment.state.in_(POLLED), Payment.gateway != TRANSFER)
    is_opening = (Payment.state == "new") & (Payment.leased_until > at)
    query = columns.where(*is_own, *is_asked, _is_due(at), or_(Payment.leased_until.is_(None), ~is_opening))
    row = session.execute(query.order_by(Payment.number.desc()).limit(1)).first()
    return None if row is None else PaymentRef(*row)


def lease(session: Session, ref: PaymentRef, at: datetime) -> bool:
    """Whether the caller is the one that looks now, of all that found it due."""
    is_first = (Payment.id == ref.id, _is_due(at))
    return affected_rows(session, update(Payment).where(*is_first).values(checked_at=at)) == 1


def _is_due(at: datetime) -> ColumnElement[bool]:
    return or_(Payment.checked_at.is_(None), Payment.checked_at <= at - CHECK_EVERY)

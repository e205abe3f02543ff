"""What commands change about orders: the same rules as calls of the staff's area, each recorded in the audit.

All functions are for `Database.write_as`. Nobody may run a command who could not change the database itself: no limit
of a role holds here.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.orders import events, expiry, shipping
from domain.orders.expiry import DueOrder
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.tables import Order, OrderLine, Refund


def refund(session: Session, ref: OrderRef, wanted: StaffRefund, context: Context) -> Sequence[Refund]:
    """Refund what is named; by hand and without lines the failed refunds of the order, if there are any. Raises
    Refused."""

    def work() -> Sequence[Refund]:
        is_of_failed = wanted.is_manual and not wanted.units
        failed = by_staff.pay_failed_manually(session, ref, wanted, context) if is_of_failed else []
        return failed or [by_staff.refund_order(session, ref, wanted, context)]

    return _refunded(session, "order.refund", ref, wanted, work)


def approve_request(
    session: Session, ref: OrderRef, number: int, wanted: StaffRefund, context: Context
) -> Sequence[Refund]:
    """Raises NotFound, Refused."""

    def work() -> Sequence[Refund]:
        return [by_staff.approve_request(session, ref, number, wanted, context)]

    return _refunded(session, "order.approve_refund", ref, wanted, work)


def decline_request(
    session: Session, ref: OrderRef, number: int, wanted: StaffRefund, context: Context
) -> Sequence[Refund]:
    """Raises NotFound, Refused."""

    def work() -> Sequence[Refund]:
        return [by_staff.decline_request(session, ref, number, wanted, context)]

    return _refunded(session, "order.decline_refund", ref, wanted, work)


def _refunded(
    session: Session, action: str, ref: OrderRef, wanted: StaffRefund, work: Callable[[], Sequence[Refund]]
) -> Sequence[Refund]:
    order = lock_order(session, ref.learner_id, ref.id)
    before = order.refunded_minor
    rows = work()
    session.refresh(order)
    after = {
        "refunded_minor": order.refunded_minor,
        "refunds": [row.number for row in rows],
        "keeps_access": wanted.keeps_access,
        "restocks": wanted.restocks,
        "is_manual": wanted.is_manual,
    }
    subject = Subject("order", order.code)
    recording.record(session, action, subject, before={"refunded_minor": before}, after=after, reason=wanted.reason)
    return rows


def cancel(session: Session, ref: OrderRef, context: Context) -> bool:
    """Cancel an order that is placed and not paid; False when it is neither any more."""
    is_cancelled = expiry.cancel(session, DueOrder(ref.id, ref.learner_id), "cancel", events.COMMAND, context)
    if is_cancelled:
        recording.record(session, "order.cancel", _subject(session, ref))
    else:
        recording.no_change(session)
    return is_cancelled


def ship(session: Session, ref: OrderRef, at: datetime) -> list[OrderLine]:
    """Raises Refused."""
    lines = shipping.ship(session, ref, events.COMMAND, at)
    recording.record(session, "order.ship", _subject(session, ref), after=_numbers(lines))
    return lines


def deliver(session: Session, ref: OrderRef, at: datetime) -> list[OrderLine]:
    """Raises Refused."""
    lines = shipping.deliver(session, ref, events.COMMAND, at)
    recording.record(session, "order.deliver", _subject(session, ref), after=_numbers(lines))
    return lines


def use_voucher(session: Session, ref: OrderRef, code: str, at: datetime) -> None:
    """Raises Refused."""
    shipping.use_voucher(session, ref, code, events.COMMAND, at)
    recording.record(session, "order.use_voucher", _subject(session, ref))


def _subject(session: Session, ref: OrderRef) -> Subject:
    return Subject("order", session.get_one(Order, ref.id).code)


def _numbers(lines: Sequence[OrderLine]) -> dict[str, object]:
    return {"lines": [line.number for line in lines]}

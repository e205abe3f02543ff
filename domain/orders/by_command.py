"""Refunds by a command: the same rules as in the staff's area, each recorded in the audit.

All functions are for `Database.write_as`. Nobody may run a command who could not change the database itself: no limit
of a role holds here.
"""

from collections.abc import Callable, Sequence

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.tables import Refund


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

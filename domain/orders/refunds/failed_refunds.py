"""Refunds that failed, as staff deal with them in their area: the gateway tries again, or somebody pays by hand."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_staff, gateway_results, staff_limits
from domain.orders.refunds.decisions import MAX_WORDS, StaffDecision
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.refunds.staff_limits import Authority
from domain.orders.settings import Context
from domain.tables import Order, Refund


@dataclass(frozen=True)
class FailedRefund:
    """`failure`: what the gateway said. `can_retry`: there is a payment that it can be paid back to. `is_by_hand`: of
    a bank transfer, which has not failed."""

    number: int
    amount_minor: int
    failure: str
    failed_at: datetime
    can_retry: bool
    is_by_hand: bool = False


def failed_refunds(session: Session, order_id: int) -> list[FailedRefund]:
    """The oldest first, with those of bank transfers that somebody has to pay by hand."""
    found = []
    for row in refunds_of(session, order_id):
        by_hand = gateway_results.waits_for_hand(session, row)
        if row.state == "failed" or by_hand:
            can_retry = row.payment_id is not None and not by_hand
            found.append(FailedRefund(row.number, row.amount_minor, row.failure, row.changed_at, can_retry, by_hand))
    return found


def retry_as_staff(session: Session, ref: OrderRef, number: int, authority: Authority, context: Context) -> Refund:
    """Have the gateway try a failed refund again. For `Database.write_as`. Raises NotFound, Refused."""
    order, row = by_staff.lock_request(session, ref, number)
    staff_limits.require_other(authority, order)
    gateway_results.try_again(session, order, row, authority.actor, context.at)
    _record(session, order, row, "order.retry_refund", reason="")
    return row


def settle_as_staff(
    session: Session, ref: OrderRef, decision: StaffDecision, authority: Authority, context: Context
) -> Refund:
    """The money of a failed refund was paid outside the gateway; the decision's words say how, such as the number of a
    transfer. For `Database.write_as`. Raises NotFound, Refused, InvalidInput without words, RecentSignInRequired."""
    proof = " ".join(decision.words.split())
    if not 0 < len(proof) <= MAX_WORDS:
        raise InvalidInput({"proof": f"Say how it was paid, in at most {MAX_WORDS} characters."})
    order, row = by_staff.lock_request(session, ref, decision.number)
    staff_limits.require_other(authority, order)
    staff_limits.require_within_limit(authority, row.amount_minor, money.currency(order.currency), context)
    row.note = "\n".join(filter(None, (row.note, proof)))
    gateway_results.pay_manually(session, order, row, authority.actor, context)
    _record(session, order, row, "order.settle_refund", reason=proof)
    return row


def _record(session: Session, order: Order, row: Refund, action: str, *, reason: str) -> None:
    after = {"refund": row.number, "amount_minor": row.amount_minor}
    recording.record(session, action, Subject("order", order.code), after=after, reason=reason)

"""Makes the changes whose time has come."""

from collections.abc import Callable

from sqlalchemy import func, select, update

from standins.payments.objects import store
from standins.payments.paying import debits, disputes, expiry, refunding
from standins.payments.tables import Delivery, DueChange, StoredAnswer, StoredObject
from standins.payments.work import Work

_CHANGES: dict[str, Callable[[Work, StoredObject], None]] = {
    "expire": expiry.expire,
    "settle_debit": debits.settle_debit,
    "fail_debit": debits.fail_debit,
    "settle_refund": refunding.settle_refund,
    "fail_refund": refunding.fail_refund,
    "open_dispute": disputes.open_dispute,
    "lose_dispute": disputes.lose_dispute,
}


def make_due_changes(work: Work) -> int:
    """Makes all that are due, in their order, also those that one of them plans. Returns how many."""
    count = 0
    query = select(DueChange).where(DueChange.due_at <= work.now).order_by(DueChange.due_at, DueChange.number).limit(1)
    while (due := work.session.scalar(query)) is not None:
        _CHANGES[due.change](work, store.get(work, due.object_id))
        work.session.delete(due)
        count += 1
    return count


def next_due_at(work: Work) -> float | None:
    return work.session.scalar(select(func.min(DueChange.due_at)))


def bring_forward(work: Work, seconds: float) -> int:
    """Brings forward by `seconds` whatever waits for a time, and makes what is due then. The clock stays: the shop's,
    which the limits of new sessions are compared with, does not move either."""
    for column in (DueChange.due_at, Delivery.first_at, StoredAnswer.expires_at):
        work.session.execute(update(column.class_).values({column: column - seconds}))
    work.session.execute(
        update(Delivery).where(Delivery.next_at.is_not(None)).values(next_at=Delivery.next_at - seconds)
    )
    return make_due_changes(work)

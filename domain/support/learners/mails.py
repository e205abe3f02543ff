"""The mails that went to a learner, and those about an order, as far as the outbox still has them: it knows ids and no
addresses."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.support.mails import MailRow, newest_mails
from domain.tables import Certificate, ContactMessage, ContactReply, Gift, Learner, Order, Refund, Review

# Mails that were sent stay for some days; in a shop with more of them the oldest are not looked at.
MAX_READ = 5_000
MAX_SHOWN = 50
_TO_STAFF = frozenset(
    {OutboxKind.MISMATCH, OutboxKind.STAFF_REFUND_REQUESTED, OutboxKind.STAFF_REFUND_FAILED, OutboxKind.DISPUTE}
)


class LearnerMail(NamedTuple):
    id: int
    kind: str
    state: str
    created_at: datetime


def mails_of(session: Session, learner_id: int) -> list[LearnerMail]:
    """The newest first."""
    ids = _ids(session, learner_id)
    rows = (row for row in newest_mails(session, MAX_READ) if _is_about(row, ids))
    return [
        LearnerMail(row.id, row.kind, row.state, row.created_at) for row, _ in zip(rows, range(MAX_SHOWN), strict=False)
    ]


def mails_of_order(session: Session, code: str) -> list[LearnerMail]:
    """All mails about an order, those to the staff too; the newest first."""
    order = session.execute(select(Order.id, Order.placed_at).where(Order.code == code)).one_or_none()
    if order is None:
        return []
    refunds = set(session.scalars(select(Refund.id).where(Refund.order_id == order.id)))
    rows = (
        row
        for row in newest_mails(session, MAX_READ, order.placed_at)
        if row.body.get("order_id") == order.id or row.body.get("refund_id") in refunds
    )
    return [
        LearnerMail(row.id, row.kind, row.state, row.created_at) for row, _ in zip(rows, range(MAX_SHOWN), strict=False)
    ]


def _is_about(row: MailRow, ids: Mapping[tuple[str, str], Collection[int]]) -> bool:
    # Mails to the staff are about learners too, and go to none.
    if row.kind in _TO_STAFF:
        return False
    return any(row.kind.startswith(kind) and row.body.get(name) in known for (kind, name), known in ids.items())


def _ids(session: Session, learner_id: int) -> dict[tuple[str, str], set[int]]:
    """Beginning of a kind and key of a row's body -> ids of what the mails to this learner are about."""
    address = session.scalar(select(Learner.email).where(Learner.id == learner_id)) or ""
    orders = select(Order.id).where(Order.learner_id == learner_id)
    queries: dict[tuple[str, str], Any] = {
        ("", "order_id"): orders,
        ("", "refund_id"): select(Refund.id).where(Refund.order_id.in_(orders)),
        ("", "certificate_id"): select(Certificate.id).where(Certificate.learner_id == learner_id),
        ("", "review_id"): select(Review.id).where(Review.learner_id == learner_id),
        (OutboxKind.GIFT_SENT, "gift_id"): select(Gift.id).where(Gift.learner_id == learner_id),
        (OutboxKind.GIFT_CLAIMED, "gift_id"): select(Gift.id).where(Gift.giver_id == learner_id),
    }
    if address:
        messages = select(ContactMessage.id).where(ContactMessage.email == address)
        queries["", "message_id"] = messages
        queries["", "reply_id"] = select(ContactReply.id).where(ContactReply.message_id.in_(messages))
    return {about: set(session.scalars(query)) for about, query in queries.items()}

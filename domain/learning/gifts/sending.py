"""The mail of a gift, on its day and again: its link is valid from the first one on."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import GiftItem, decode
from contracts.tasks import OutboxKind
from domain.errors import NotFound, Refused
from domain.learning.gifts.tokens import digest_of, token_of, valid_until
from domain.outbox import queue as outbox_queue
from domain.outbox.leases import Lease
from domain.tables import Gift, Order, OrderLine

# Why the mail of a gift in this state is not sent again.
SETTLED = {
    "claimed": "This gift was accepted already.",
    "returned": "This gift was taken back with its refund.",
    "waiting": "The first email of this gift is still to come.",
}
TOO_OLD = "The link of this gift has ended."
NO_ADDRESS = "We no longer have the email address of this gift."


def enqueue(session: Session, gift: Gift) -> None:
    """The mail is due on the day of the gift."""
    outbox_queue.enqueue(session, OutboxKind.GIFT_SENT, GiftItem(gift_id=gift.id), gift.send_at)


def open_link(session: Session, lease: Lease, key: bytes) -> None:
    """Before the mail of a row is sent: its link works from now on. What was claimed or returned stays so."""
    gift_id = decode(GiftItem, lease.body).gift_id
    gift = session.scalar(select(Gift).where(Gift.id == gift_id).with_for_update())
    if gift is not None and gift.state in ("waiting", "sent"):
        gift.token, gift.state = digest_of(token_of(key, gift.id)), "sent"


def first_refusal(gift: Gift, at: datetime) -> str | None:
    """Why the mail of a gift is not sent again, in words for its giver; None when it can be."""
    if gift.state in SETTLED:
        return SETTLED[gift.state]
    if at >= valid_until(gift.send_at):
        return TOO_OLD
    return None if gift.recipient_email else NO_ADDRESS


def send_again(session: Session, learner_id: int, code: str, line_number: int, at: datetime) -> str:
    """Send the mail of the learner's own gift once more, with the same link; returns where it goes. Raises NotFound,
    and Refused before its first mail and after it was accepted or taken back."""
    query = select(Gift).join(OrderLine, OrderLine.id == Gift.order_line_id).join(Order, Order.id == OrderLine.order_id)
    # Not locked: before the mail is sent the state is looked at again.
    own = query.where(Order.code == code.upper(), Order.learner_id == learner_id, OrderLine.number == line_number)
    gift = session.scalar(own)
    if gift is None:
        raise NotFound("There is no such gift in your orders.")
    if (refusal := first_refusal(gift, at)) is not None:
        raise Refused(refusal)
    outbox_queue.enqueue(session, OutboxKind.GIFT_SENT, GiftItem(gift_id=gift.id), at)
    return gift.recipient_email

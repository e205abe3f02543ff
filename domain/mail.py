"""Mails that follow a committed change: which are pending in the outbox, their texts, and marking them as sent."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem, decode
from contracts.tasks import OutboxTask
from domain.tables import ContactMessage, Outbox

BATCH_SIZE = 50
TASKS = tuple(str(task) for task in OutboxTask)

_CONFIRMATION = """Hello {name},

thank you for writing to {site}. Your message "{subject}" has arrived and we will answer it at this address.

This is what you wrote:

{message}

You did not write to us? Then somebody typed your address by mistake, and you can ignore this mail.
"""


@dataclass(frozen=True)
class OutgoingMail:
    """`number`: the id of the outbox row; it identifies a mail that was sent twice."""

    number: int
    to: str
    subject: str
    text: str


def pending_ids(session: Session) -> list[int]:
    """Ids of outbox rows whose mail is not sent yet, the oldest first. Tasks that only a newer build knows are left."""
    rows = select(Outbox.id).where(Outbox.done_at.is_(None), Outbox.task.in_(TASKS))
    return list(session.scalars(rows.order_by(Outbox.id).limit(BATCH_SIZE)))


def load(session: Session, number: int, site_name: str) -> OutgoingMail | None:
    """The mail of a row; None when it has been sent meanwhile or its message is gone. Raises NewerPayload."""
    row = session.get(Outbox, number)
    if row is None or row.done_at is not None or row.task != OutboxTask.CONTACT_CONFIRMATION:
        return None
    message = session.get(ContactMessage, decode(OutboxItem, row.body).message_id)
    if message is None:
        return None
    # Line breaks in a visitor's text must not add headers.
    subject = " ".join(message.subject.split())
    text = _CONFIRMATION.format(name=message.name, site=site_name, subject=subject, message=message.message)
    return OutgoingMail(number, message.email, f"We received your message: {subject}", text)


def mark_sent(session: Session, number: int, at: datetime) -> None:
    row = session.get(Outbox, number)
    if row is not None:
        row.done_at = at

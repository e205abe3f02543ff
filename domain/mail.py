"""Mails that a committed change caused: which wait in the outbox, what they say, and that they went out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import ContactMessage, Outbox

AT_ONCE = 50
PREFIX = "mail."

_CONFIRMATION = """Hello {name},

thank you for writing to {site}. Your message "{subject}" has arrived and we will answer it at this address.

This is what you wrote:

{message}

You did not write to us? Then somebody typed your address by mistake, and you can ignore this mail.
"""


@dataclass(frozen=True)
class Letter:
    """`number` is the outbox row's: a mail sent twice can be told by it."""

    number: int
    to: str
    subject: str
    text: str


def waiting(session: Session) -> list[int]:
    """Rows of mails that have not gone out, the oldest first."""
    rows = select(Outbox.id).where(Outbox.done_at.is_(None), Outbox.task.startswith(PREFIX, autoescape=True))
    return list(session.scalars(rows.order_by(Outbox.id).limit(AT_ONCE)))


def take(session: Session, number: int, site_name: str) -> Letter | None:
    """The mail of a row; None when it went out meanwhile or has nobody to go to."""
    row = session.get(Outbox, number)
    if row is None or row.done_at is not None or row.task != "mail.contact_confirmation":
        return None
    message = session.get(ContactMessage, row.body["message_id"])
    if message is None:
        return None
    # A subject is one line: what a visitor typed must not become a header.
    subject = " ".join(message.subject.split())
    text = _CONFIRMATION.format(name=message.name, site=site_name, subject=subject, message=message.message)
    return Letter(number, message.email, f"We received your message: {subject}", text)


def done(session: Session, number: int, at: datetime) -> None:
    row = session.get(Outbox, number)
    if row is not None:
        row.done_at = at

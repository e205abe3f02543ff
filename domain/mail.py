"""Mails that follow a committed change: their recipients and texts, by the kind of their outbox row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem, decode
from contracts.tasks import OutboxKind
from domain.outbox import Lease
from domain.tables import ContactMessage

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


def compose(session: Session, lease: Lease, site_name: str) -> OutgoingMail | None:
    """The mail of a row; None when what it is about was deleted. Raises NewerPayload or MalformedPayload."""
    return COMPOSERS[lease.kind](session, lease, site_name)


def _contact_confirmation(session: Session, lease: Lease, site_name: str) -> OutgoingMail | None:
    message = session.get(ContactMessage, decode(OutboxItem, lease.body).message_id)
    if message is None:
        return None
    # Line breaks in a visitor's text must not add headers.
    subject = " ".join(message.subject.split())
    text = _CONFIRMATION.format(name=message.name, site=site_name, subject=subject, message=message.message)
    return OutgoingMail(lease.id, message.email, f"We received your message: {subject}", text)


Composer = Callable[[Session, Lease, str], OutgoingMail | None]
COMPOSERS: Mapping[str, Composer] = {str(OutboxKind.CONTACT_CONFIRMATION): _contact_confirmation}

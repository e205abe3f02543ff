"""Messages from visitors: their validation, and storing one together with its confirmation mail."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind
from domain import email_addresses
from domain.errors import InvalidInput
from domain.outbox import queue as outbox_queue
from domain.tables import ContactMessage, ContactReply
from domain.tables.areas.person_keys import email_key

# These limits are in components/content/contactRules.ts too; contracts/cases/contact.json tests both. The browser
# checks addresses less strictly.
LENGTHS = {"name": 120, "email": 254, "subject": 160, "message": 5000}
MIN_MESSAGE_LENGTH = 10


def validate(values: Mapping[str, str]) -> dict[str, str]:
    """The trimmed values. Raises InvalidInput with one sentence for each invalid field."""
    trimmed = {name: values.get(name, "").strip() for name in LENGTHS}
    errors = {
        name: f"Shorten this to {length} characters." for name, length in LENGTHS.items() if len(trimmed[name]) > length
    }
    if not trimmed["name"]:
        errors["name"] = "Enter your name."
    if not trimmed["email"]:
        errors["email"] = "Enter your email address, so that we can answer."
    elif not email_addresses.is_valid(trimmed["email"]):
        errors["email"] = "Enter an email address in the form name@example.com."
    if not trimmed["subject"]:
        errors["subject"] = "Enter what your message is about."
    if len(trimmed["message"]) < MIN_MESSAGE_LENGTH:
        errors["message"] = f"Write at least {MIN_MESSAGE_LENGTH} characters, so that we know how to help."
    if errors:
        raise InvalidInput(errors)
    return trimmed


def limit_exceeded(retry_after_s: int) -> str:
    """The error for a visitor who has sent too many messages: when to try again, and that the text is not lost."""
    minutes = max(1, -(-retry_after_s // 60))
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"You have sent several messages in a short time. Wait {wait}, then send this one again; your text is kept."


def store_message(session: Session, values: Mapping[str, str], at: datetime) -> int:
    """Store a validated message and queue its confirmation mail in one transaction. Returns the message's id."""
    message = ContactMessage(sent_at=at, **values)
    session.add(message)
    session.flush()
    outbox_queue.enqueue(session, OutboxKind.CONTACT_CONFIRMATION, OutboxItem(message_id=message.id), at)
    return message.id


def erase_messages(session: Session, address: str) -> int:
    """Delete the messages from an email address and their answers; how many messages there were."""
    if not address:
        return 0
    is_its = or_(ContactMessage.email == address, func.lower(ContactMessage.email) == email_key(address))
    ids = list(session.scalars(select(ContactMessage.id).where(is_its)))
    if ids:
        session.execute(delete(ContactReply).where(ContactReply.message_id.in_(ids)))
        session.execute(delete(ContactMessage).where(ContactMessage.id.in_(ids)))
    return len(ids)

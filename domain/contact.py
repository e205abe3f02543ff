"""Messages from visitors: what is accepted, and storing one together with the mail it causes."""

import re
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from domain.errors import InvalidInput
from domain.tables import ContactMessage, Outbox

# The same limits stand in components/ui/contactRules.ts; tests/agreements/contact.json holds both to them.
LENGTHS = {"name": 120, "email": 254, "subject": 160, "message": 5000}
SHORTEST_MESSAGE = 10
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


def checked(values: Mapping[str, str]) -> dict[str, str]:
    """The trimmed values. Raises InvalidInput with one sentence for each field that needs another look."""
    trimmed = {name: values.get(name, "").strip() for name in LENGTHS}
    errors = {
        name: f"Shorten this to {most} characters." for name, most in LENGTHS.items() if len(trimmed[name]) > most
    }
    if not trimmed["name"]:
        errors["name"] = "Enter your name."
    if not trimmed["email"]:
        errors["email"] = "Enter your e-mail address, so that we can answer."
    elif not _EMAIL.fullmatch(trimmed["email"]):
        errors["email"] = "Enter an e-mail address in the form name@example.com."
    if not trimmed["subject"]:
        errors["subject"] = "Enter what your message is about."
    if len(trimmed["message"]) < SHORTEST_MESSAGE:
        errors["message"] = f"Write at least {SHORTEST_MESSAGE} characters, so that we know how to help."
    if errors:
        raise InvalidInput(errors)
    return trimmed


def too_many(retry_after_s: int) -> str:
    """What somebody reads who has sent as many messages as one address may: when to go on, and that nothing is lost."""
    minutes = max(1, -(-retry_after_s // 60))
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"You have sent several messages in a short time. Wait {wait}, then send this one again; your text is kept."


def store(session: Session, values: Mapping[str, str], at: datetime) -> int:
    """Keep a checked message and queue its confirmation mail in the same transaction. Answers the message's id."""
    message = ContactMessage(at=at, **values)
    session.add(message)
    session.flush()
    session.add(Outbox(created_at=at, task="mail.contact_confirmation", body={"message_id": message.id}))
    return message.id

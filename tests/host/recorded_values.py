"""What events of the audit must not have: names, emails and numbers of the people whom a site's database knows."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from sqlalchemy import URL, NullPool, create_engine, select

from domain.tables import AuditEvent, ContactMessage, Gift, Invitation, Learner, Order

# A shorter name may be any word.
MIN_LETTERS = 6
# How long a database is waited for that a test has taken away.
CONNECT_S = 5
_EVENTS = select(
    AuditEvent.action, AuditEvent.before, AuditEvent.after, AuditEvent.reason, AuditEvent.subject_id
).order_by(AuditEvent.number)
_PEOPLE = (
    select(Learner.name, Learner.email, Learner.student_number),
    select(Invitation.name, Invitation.email_key),
    select(Order.email).distinct(),
    select(ContactMessage.name, ContactMessage.email),
    select(Gift.recipient_email),
)


def personal_values(url: URL) -> list[str]:
    """Each event that says who somebody is, as "action: value". Raises SQLAlchemy's OperationalError when there is no
    database or it does not answer."""
    if url.get_backend_name() == "sqlite" and not _has_events(str(url.database)):
        return []
    waits = {} if url.get_backend_name() == "sqlite" else {"connect_timeout": CONNECT_S, "read_timeout": CONNECT_S}
    engine = create_engine(url, poolclass=NullPool, connect_args=waits)
    with engine.connect() as connection:
        events = connection.execute(_EVENTS).all()
        people = [row for query in _PEOPLE for row in connection.execute(query)] if events else []
    values = {value.casefold() for row in people for value in row if value and len(value) >= MIN_LETTERS}
    texts = {(action, text.casefold()) for action, *fields in events for text in _strings(fields)}
    return sorted({f"{action}: {value}" for action, text in texts for value in values if _has_words(text, value)})


def _has_events(file: str) -> bool:
    """Most tests leave none: asked without SQLAlchemy, whose engine costs more than the question."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=CONNECT_S)) as connection:
            return bool(connection.execute("SELECT EXISTS(SELECT 1 FROM audit_events)").fetchone()[0])
    except sqlite3.OperationalError:
        # No database or one that is locked: the caller hears of it from SQLAlchemy.
        return True


def _strings(value: object) -> Iterator[str]:
    """The values alone: names of fields are ours."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for member in members:
        yield from _strings(member)
    if isinstance(value, str):
        yield value


def _has_words(text: str, words: str) -> bool:
    """A name within a longer word is none."""
    return words in text and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None

"""Messages of visitors as staff see them: their thread, answers by mail, and closing them."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from contracts.payloads import ReplyItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import affected_rows
from domain.database.list_page import ListSource
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound
from domain.outbox import queue as outbox_queue
from domain.tables import ContactMessage, ContactReply, Learner

MAX_REPLY = 5_000
_messages = ContactMessage.__table__.c


class MessageRow(NamedTuple):
    """`state`: new, answered or closed."""

    id: int
    sent_at: datetime
    name: str
    email: str
    subject: str
    state: str


@dataclass(frozen=True)
class Reply:
    """`author`: the name of whoever wrote it; None when nobody knows any more."""

    sent_at: datetime
    author: str | None
    text: str


@dataclass(frozen=True)
class Thread:
    """A message and its answers, the oldest first."""

    message: MessageRow
    text: str
    replies: list[Reply]


_COLUMNS = (_messages.id, _messages.sent_at, _messages.name, _messages.email, _messages.subject, _messages.state)
MESSAGES = ListSource(
    rows=select(*_COLUMNS),
    make=MessageRow._make,
    key=_messages.id,
    filters={"state": _messages.state.__eq__},
    only_grows=True,
)


def thread(session: Session, message_id: int) -> Thread:
    """Raises NotFound."""
    row = session.execute(select(*_COLUMNS, _messages.message).where(_messages.id == message_id)).one_or_none()
    if row is None:
        raise NotFound("There is no such message.")
    columns = select(ContactReply.sent_at, Learner.name, ContactReply.text)
    replies = columns.outerjoin(Learner, Learner.id == ContactReply.author_id)
    found = session.execute(replies.where(ContactReply.message_id == message_id).order_by(ContactReply.id))
    return Thread(MessageRow._make(row[:-1]), row[-1], [Reply(*reply) for reply in found])


def answer(session: Session, message_id: int, text: str, author_id: int, at: datetime) -> None:
    """Send an answer by mail and keep it with the message. The text of the newest answer once more sends nothing. For
    `Database.write_as`. Raises InvalidInput and NotFound."""
    reply = text.replace("\r\n", "\n").strip()
    if not reply or len(reply) > MAX_REPLY:
        raise InvalidInput({"text": f"Write an answer of at most {count_text(MAX_REPLY)} characters."})
    state = _locked_state(session, message_id)
    newest = select(ContactReply.text).where(ContactReply.message_id == message_id).order_by(ContactReply.id.desc())
    if session.scalar(newest.limit(1)) == reply:
        recording.no_change(session)
        return
    row = ContactReply(message_id=message_id, sent_at=at, author_id=author_id, text=reply)
    session.add(row)
    session.flush()
    _put_state(session, message_id, "answered")
    outbox_queue.enqueue(session, OutboxKind.CONTACT_REPLY, ReplyItem(reply_id=row.id), at)
    _record(session, "message.answer", message_id, state, "answered")


def close(session: Session, message_id: int) -> None:
    """Nothing more is to be done for a message; again it changes nothing. For `Database.write_as`. Raises NotFound."""
    _change(session, "message.close", message_id, "closed")


def reopen(session: Session, message_id: int) -> None:
    """A closed message waits again. For `Database.write_as`. Raises NotFound."""
    _change(session, "message.reopen", message_id, "new")


def _change(session: Session, action: str, message_id: int, state: str) -> None:
    before = _locked_state(session, message_id)
    if before == state:
        recording.no_change(session)
        return
    _put_state(session, message_id, state)
    _record(session, action, message_id, before, state)


def _locked_state(session: Session, message_id: int) -> str:
    state = session.scalar(select(ContactMessage.state).where(ContactMessage.id == message_id).with_for_update())
    if state is None:
        raise NotFound("There is no such message.")
    return state


def _put_state(session: Session, message_id: int, state: str) -> None:
    affected_rows(session, update(ContactMessage).where(ContactMessage.id == message_id).values(state=state))


def _record(session: Session, action: str, message_id: int, before: str, after: str) -> None:
    recording.record(session, action, Subject("message", message_id), before={"state": before}, after={"state": after})

"""Writing rows of the outbox, and deleting them when they are done."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from contracts.payloads import Payload, encode
from contracts.tasks import OutboxKind, Topic
from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedInsert
from domain.tables import Outbox

# A transaction that deletes more would make others wait.
DELETE_BATCH = 1000
# Without ORM objects, which cost several times what the row does.
_INSERT = PreparedInsert(Outbox)


def enqueue(session: Session, kind: OutboxKind, payload: Payload, at: datetime) -> None:
    """Write a row in the transaction of the change that it follows. It is due at once."""
    enqueue_all(session, kind, [payload], at)


def enqueue_all(session: Session, kind: OutboxKind, payloads: Sequence[Payload], at: datetime) -> None:
    """Write a row for each payload in the transaction of the change that they follow. They are due at once."""
    about = {"topic": str(kind.topic), "task": str(kind), "created_at": at, "next_at": at, "attempts": 0}
    _INSERT.run_all(session, [{**about, "body": encode(payload)} for payload in payloads])


def delete_done(session: Session, before: datetime) -> int:
    """Delete at most DELETE_BATCH rows that were done before that time. Returns their number."""
    topics = [str(topic) for topic in Topic]
    done = select(Outbox.id).where(Outbox.topic.in_(topics), Outbox.done_at < before).limit(DELETE_BATCH)
    return affected_rows(session, delete(Outbox).where(Outbox.id.in_(list(session.scalars(done)))))


def delete_dead(session: Session, before: datetime) -> int:
    """Delete at most DELETE_BATCH rows that were given up before that time. Returns their number."""
    topics = [str(topic) for topic in Topic]
    is_dead = (Outbox.topic.in_(topics), Outbox.done_at.is_(None), Outbox.next_at.is_(None))
    dead = select(Outbox.id).where(*is_dead, Outbox.dead_at < before).limit(DELETE_BATCH)
    return affected_rows(session, delete(Outbox).where(Outbox.id.in_(list(session.scalars(dead)))))

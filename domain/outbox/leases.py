"""Leases of outbox rows: a worker leases one row at a time and ends the lease with one of four functions.

A lease counts the attempt, so that a row whose handling kills the worker dies too, after MAX_ATTEMPTS. A lease that
nobody ends runs out, and the row is due again.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.database.database import affected_rows
from domain.tables import Outbox

# Far longer than a worker may take for a row (workers/outbox.py).
LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 5
FIRST_RETRY = timedelta(seconds=5)
# Others may lease the first rows at the same moment.
MAX_CANDIDATES = 20
MAX_ERROR_LENGTH = 500
WORKER_ENDED = "the worker ended while it handled this row"


@dataclass(frozen=True)
class Lease:
    """A leased row; `attempts` includes this one."""

    id: int
    kind: str
    body: dict[str, Any]
    created_at: datetime
    attempts: int
    token: str


def _is_due(topic: Topic, kinds: Collection[str], at: datetime) -> list[ColumnElement[bool]]:
    """Rows of other kinds are those of a newer build, and wait for its workers."""
    return [Outbox.topic == str(topic), Outbox.kind.in_(kinds), *_is_open(at)]


def _is_open(at: datetime) -> list[ColumnElement[bool]]:
    return [Outbox.done_at.is_(None), Outbox.dead_at.is_(None), Outbox.next_at <= at]


def has_due(session: Session, topic: Topic, kinds: Collection[str], at: datetime) -> bool:
    return session.scalar(select(Outbox.id).where(*_is_due(topic, kinds, at)).limit(1)) is not None


def lease_next(session: Session, topic: Topic, kinds: Collection[str], at: datetime) -> Lease | None:
    """Lease the row that has been due for longest; None when no row of these kinds is due."""
    columns = (Outbox.id, Outbox.kind, Outbox.body, Outbox.created_at, Outbox.attempts)
    due = select(*columns).where(*_is_due(topic, kinds, at)).order_by(Outbox.next_at, Outbox.id)
    for row in session.execute(due.limit(MAX_CANDIDATES)):
        if row.attempts >= MAX_ATTEMPTS:
            _change_if_due(session, row, at, dead_at=at, next_at=None, error=WORKER_ENDED, **_RELEASED)
        elif lease := _lease(session, row, at):
            return lease
    return None


_RELEASED: dict[str, Any] = {"lease_token": None, "leased_until": None}


def _lease(session: Session, row: Row[Any], at: datetime) -> Lease | None:
    """None when another worker has leased the row since it was read."""
    token, attempts, until = uuid4().hex, row.attempts + 1, at + LEASE
    if not _change_if_due(session, row, at, lease_token=token, leased_until=until, next_at=until, attempts=attempts):
        return None
    return Lease(row.id, row.kind, row.body, row.created_at, attempts, token)


def _change_if_due(session: Session, row: Row[Any], at: datetime, **values: Any) -> bool:
    """Only while the row is as it was read: MariaDB reads a snapshot, but changes the newest state."""
    is_unchanged = (Outbox.id == row.id, Outbox.attempts == row.attempts, *_is_open(at))
    return affected_rows(session, update(Outbox).where(*is_unchanged).values(**values)) == 1


def finish(session: Session, lease: Lease, at: datetime) -> bool:
    """The row is done. Like the other three: False when the lease had run out and another worker took the row."""
    return _end(session, lease, done_at=at, next_at=None, error=None)


def postpone(session: Session, lease: Lease, until: datetime, reason: str) -> bool:
    """The row is due again at `until`; this attempt does not count."""
    return _end(session, lease, next_at=until, error=reason, attempts=lease.attempts - 1)


def fail(session: Session, lease: Lease, at: datetime, error: str) -> bool:
    """The attempt failed: the row is due again after a wait that grows, and dead after MAX_ATTEMPTS."""
    if lease.attempts >= MAX_ATTEMPTS:
        return kill(session, lease, at, error)
    return _end(session, lease, next_at=at + FIRST_RETRY * 4 ** (lease.attempts - 1), error=error)


def kill(session: Session, lease: Lease, at: datetime, error: str) -> bool:
    """No further attempt, unless somebody replays the row."""
    return _end(session, lease, dead_at=at, next_at=None, error=error)


def _end(session: Session, lease: Lease, **values: Any) -> bool:
    if values.get("error"):
        values["error"] = values["error"][:MAX_ERROR_LENGTH]
    is_leased = (Outbox.id == lease.id, Outbox.lease_token == lease.token)
    return affected_rows(session, update(Outbox).where(*is_leased).values(**_RELEASED, **values)) == 1

"""Leases of outbox rows: a worker leases one row at a time and ends the lease with one of four functions.

A lease counts the attempt, so that a row whose handling kills the worker dies too, after MAX_ATTEMPTS. A lease that
nobody ends runs out, and the row is due again.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, cast
from uuid import uuid4

from sqlalchemy import Table, bindparam, false, or_, select, update
from sqlalchemy.orm import Session

from contracts.tasks import Topic
from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedChange
from domain.database.prepared_select import PreparedSelect, first_number
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


_rows = Outbox.__table__.c
_IS_OPEN = (_rows.done_at.is_(None), _rows.dead_at.is_(None), _rows.next_at <= bindparam("now"))


class _Due(NamedTuple):
    id: int
    kind: str
    body: dict[str, Any]
    created_at: datetime
    attempts: int


@lru_cache
def _due(topic: Topic, kinds: tuple[str, ...]) -> PreparedSelect[_Due]:
    """The rows that have been due for longest. Rows of other kinds are those of a newer build, and wait for its
    workers."""
    columns = (_rows.id, _rows.task, _rows.body, _rows.created_at, _rows.attempts)
    is_known = or_(false(), *(_rows.task == kind for kind in kinds))
    due = select(*columns).where(_rows.topic == str(topic), is_known, *_IS_OPEN).order_by(_rows.next_at, _rows.id)
    return PreparedSelect(due.limit(MAX_CANDIDATES), _Due._make)


@lru_cache
def _any_due(topic: Topic, kinds: tuple[str, ...]) -> PreparedSelect[int]:
    is_known = or_(false(), *(_rows.task == kind for kind in kinds))
    return PreparedSelect(select(_rows.id).where(_rows.topic == str(topic), is_known, *_IS_OPEN).limit(1), first_number)


# Only while the row is as it was read: MariaDB reads a snapshot, but changes the newest state.
_IS_UNCHANGED = (_rows.id == bindparam("row"), _rows.attempts == bindparam("attempts_before"), *_IS_OPEN)
_TABLE = cast("Table", Outbox.__table__)
_LEASE = PreparedChange(
    update(_TABLE)
    .where(*_IS_UNCHANGED)
    .values(
        {
            _rows.lease_token: bindparam("token"),
            _rows.leased_until: bindparam("until"),
            _rows.next_at: bindparam("until"),
            _rows.attempts: _rows.attempts + 1,
        }
    )
)
_BURY = PreparedChange(
    update(_TABLE)
    .where(*_IS_UNCHANGED)
    .values(
        {
            _rows.dead_at: bindparam("now"),
            _rows.next_at: None,
            _rows.error: WORKER_ENDED,
            _rows.lease_token: None,
            _rows.leased_until: None,
        }
    )
)
_FINISH = PreparedChange(
    update(_TABLE)
    .where(_rows.id == bindparam("row"), _rows.lease_token == bindparam("token"))
    .values(
        {
            _rows.done_at: bindparam("now"),
            _rows.next_at: None,
            _rows.error: None,
            _rows.lease_token: None,
            _rows.leased_until: None,
        }
    )
)


def has_due(session: Session, topic: Topic, kinds: Collection[str], at: datetime) -> bool:
    return bool(_any_due(topic, tuple(kinds)).all(session, now=at))


def lease_next(session: Session, topic: Topic, kinds: Collection[str], at: datetime) -> Lease | None:
    """Lease the row that has been due for longest; None when no row of these kinds is due."""
    for row in _due(topic, tuple(kinds)).all(session, now=at):
        if row.attempts >= MAX_ATTEMPTS:
            _BURY.run(session, row=row.id, attempts_before=row.attempts, now=at)
        elif lease := _lease(session, row, at):
            return lease
    return None


def _lease(session: Session, row: _Due, at: datetime) -> Lease | None:
    """None when another worker has leased the row since it was read."""
    token = uuid4().hex
    if not _LEASE.run(session, row=row.id, attempts_before=row.attempts, now=at, token=token, until=at + LEASE):
        return None
    return Lease(row.id, row.kind, row.body, row.created_at, row.attempts + 1, token)


def finish(session: Session, lease: Lease, at: datetime) -> bool:
    """The row is done. Like the other three: False when the lease had run out and another worker took the row."""
    return _FINISH.run(session, row=lease.id, token=lease.token, now=at) == 1


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
    ended = {"lease_token": None, "leased_until": None, **values}
    return affected_rows(session, update(Outbox).where(*is_leased).values(**ended)) == 1

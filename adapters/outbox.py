"""Handles the rows of one topic of the outbox, one after another; the lease of a row decides who handles it."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from contracts.payloads import NewerPayload
from contracts.tasks import Topic
from domain.database.database import Database
from domain.outbox import leases as outbox_leases
from domain.outbox.errors import Later, ServiceDown, Undeliverable
from domain.outbox.leases import MAX_ATTEMPTS, Lease

log = logging.getLogger("coursefront.outbox")

# No row is begun later in a run. With the service's own deadlines a run ends well before Celery's limit of 20 s.
BEGIN_ROWS_S = 4.0
# A topic whose service cannot be reached.
PAUSE_S = 30.0
NEWER_PAYLOAD_RETRY_S = 60.0


class Service(Protocol):
    """What the handlers of a topic call. `ensure_ready` connects if needed; it has a deadline, raises ServiceDown."""

    def ensure_ready(self) -> None: ...


S = TypeVar("S", bound=Service)
Handlers = Mapping[str, Callable[[Lease, S], None]]
Outcome = Callable[..., bool]


def has_due(database: Database, topic: Topic, handlers: Handlers[S]) -> bool:
    """Whether a row of the kinds in `handlers` waits to be handled now."""
    with database.read_session() as session:
        return outbox_leases.has_due(session, topic, handlers, _now())


def ignore(_topic: Topic, _outcome: str) -> None:
    """The outcome of a row is not counted."""


def handle_rows(
    database: Database,
    topic: Topic,
    service: S,
    handlers: Handlers[S],
    count: Callable[[Topic, str], None] = ignore,
) -> int:
    """Handle due rows of the kinds in `handlers` for BEGIN_ROWS_S, at least one. Returns how many are done.

    A handler returns when its row is done, or raises Later, Undeliverable or ServiceDown; any other error counts as a
    failed attempt. Rows of other kinds are left to newer builds. Raises ServiceDown. `count` is called with the
    outcome of each row: "done", "postponed", "failed" (to be tried again), "dead", or "lost", to another worker.
    """
    began = time.monotonic()
    done = 0
    is_first = True
    while is_first or time.monotonic() - began < BEGIN_ROWS_S:
        is_first = False
        service.ensure_ready()
        lease = database.write_sync(outbox_leases.lease_next, topic, handlers, _now())
        if lease is None:
            break
        try:
            outcome = _handle(database, lease, service, handlers)
        except ServiceDown:
            count(topic, "postponed")
            raise
        count(topic, outcome)
        done += outcome == "done"
    return done


def _handle(database: Database, lease: Lease, service: S, handlers: Handlers[S]) -> str:
    """The outcome, as `handle_rows` counts it. Raises ServiceDown."""
    try:
        handlers[lease.kind](lease, service)
    except Later as error:
        return _end(database, lease, outbox_leases.postpone, _now() + timedelta(seconds=error.seconds), str(error))
    except NewerPayload as error:
        return _end(
            database, lease, outbox_leases.postpone, _now() + timedelta(seconds=NEWER_PAYLOAD_RETRY_S), str(error)
        )
    except Undeliverable as error:
        return _end(database, lease, outbox_leases.kill, _now(), str(error))
    except ServiceDown as error:
        _end(database, lease, outbox_leases.postpone, _now() + timedelta(seconds=PAUSE_S), str(error))
        raise
    except Exception as error:
        log.exception("outbox row %d: attempt %d failed", lease.id, lease.attempts)
        return _end(database, lease, outbox_leases.fail, _now(), f"{type(error).__name__}: {error}")
    return _end(database, lease, outbox_leases.finish, _now())


OUTCOMES: dict[Outcome, str] = {
    outbox_leases.finish: "done",
    outbox_leases.postpone: "postponed",
    outbox_leases.fail: "failed",
    outbox_leases.kill: "dead",
}


def _end(database: Database, lease: Lease, end: Outcome, at: datetime, reason: str = "") -> str:
    is_ended: bool = database.write_sync(end, lease, at, *([reason] if reason else []))
    if not is_ended:
        log.warning("outbox row %d: the lease ran out, another worker has the row", lease.id)
        return "lost"
    if reason:
        log.warning("outbox row %d (%s): %s after attempt %d", lease.id, lease.kind, end.__name__, lease.attempts)
    return "dead" if end is outbox_leases.fail and lease.attempts >= MAX_ATTEMPTS else OUTCOMES[end]


def _now() -> datetime:
    return datetime.now(UTC)

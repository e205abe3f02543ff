"""Handles the rows of one topic of the outbox, one after another; the lease of a row decides who handles it."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from contracts.payloads import NewerPayload
from contracts.tasks import Topic
from domain import outbox
from domain.database.database import Database
from domain.outbox import Later, Lease, ServiceDown, Undeliverable

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
        return outbox.has_due(session, topic, handlers, _now())


def handle_rows(database: Database, topic: Topic, service: S, handlers: Handlers[S]) -> int:
    """Handle due rows of the kinds in `handlers` for BEGIN_ROWS_S, at least one. Returns how many are done.

    A handler returns when its row is done, or raises Later, Undeliverable or ServiceDown; any other error counts as a
    failed attempt. Rows of other kinds are left to newer builds. Raises ServiceDown.
    """
    began = time.monotonic()
    done = 0
    is_first = True
    while is_first or time.monotonic() - began < BEGIN_ROWS_S:
        is_first = False
        service.ensure_ready()
        lease = database.write_sync(outbox.lease_next, topic, handlers, _now())
        if lease is None:
            break
        done += _handle(database, lease, service, handlers)
    return done


def _handle(database: Database, lease: Lease, service: S, handlers: Handlers[S]) -> bool:
    """Whether the row is done. Raises ServiceDown."""
    try:
        handlers[lease.kind](lease, service)
    except Later as error:
        _end(database, lease, outbox.postpone, _now() + timedelta(seconds=error.seconds), str(error))
    except NewerPayload as error:
        _end(database, lease, outbox.postpone, _now() + timedelta(seconds=NEWER_PAYLOAD_RETRY_S), str(error))
    except Undeliverable as error:
        _end(database, lease, outbox.kill, _now(), str(error))
    except ServiceDown as error:
        _end(database, lease, outbox.postpone, _now() + timedelta(seconds=PAUSE_S), str(error))
        raise
    except Exception as error:
        log.exception("outbox row %d: attempt %d failed", lease.id, lease.attempts)
        _end(database, lease, outbox.fail, _now(), f"{type(error).__name__}: {error}")
    else:
        return _end(database, lease, outbox.finish, _now())
    return False


def _end(database: Database, lease: Lease, outcome: Outcome, at: datetime, reason: str = "") -> bool:
    is_ended: bool = database.write_sync(outcome, lease, at, *([reason] if reason else []))
    if not is_ended:
        log.warning("outbox row %d: the lease ran out, another worker has the row", lease.id)
    elif reason:
        log.warning("outbox row %d (%s): %s after attempt %d", lease.id, lease.kind, outcome.__name__, lease.attempts)
    return is_ended


def _now() -> datetime:
    return datetime.now(UTC)

"""Handles the rows of one topic of the outbox, one after another. Every topic has a task of its own, so that a service
that is slow or down delays no other topic.

Two workers may handle a topic at once: the lease of a row decides. The lock of a topic in Redis only saves workers for
other tasks; it is short, so that the rows of a killed worker's topic wait for a few seconds.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar
from uuid import uuid4

from redis.exceptions import RedisError

from contracts.payloads import NewerPayload
from contracts.redis_keys import TOPIC_LOCK, TOPIC_PAUSE
from contracts.tasks import Topic
from domain import outbox
from domain.outbox import Later, Lease, ServiceDown, Undeliverable
from workers.app import database, redis

log = logging.getLogger("coursefront.workers.outbox")

# No row is begun later in a run. With the service's own deadlines a run ends well before Celery's limit of 20 s.
BEGIN_ROWS_S = 4.0
LOCK_S = 5.0
# A topic whose service cannot be reached.
PAUSE_S = 30.0
NEWER_PAYLOAD_RETRY_S = 60.0
# Only the owner of a lock may remove it.
_UNLOCK = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


class Service(Protocol):
    """What the handlers of a topic call. `ensure_ready` connects if needed; it has a deadline, raises ServiceDown."""

    def ensure_ready(self) -> None: ...


S = TypeVar("S", bound=Service)
Handlers = Mapping[str, Callable[[Lease, S], None]]
Outcome = Callable[..., bool]


def run(topic: Topic, open_service: Callable[[], AbstractContextManager[S]], handlers: Handlers[S]) -> int:
    """Handle due rows of the kinds in `handlers` for BEGIN_ROWS_S, at least one. Returns how many are done.

    A handler returns when its row is done, or raises Later, Undeliverable or ServiceDown; any other error counts as a
    failed attempt. Rows of other kinds are left to newer workers.
    """
    began = time.monotonic()
    with database().read_session() as session:
        if not outbox.has_due(session, topic, handlers, _now()):
            return 0
    with _locked(topic) as is_mine:
        if not is_mine or redis().exists(TOPIC_PAUSE + topic):
            return 0
        try:
            with open_service() as service:
                return _handle_rows(topic, service, handlers, began)
        except ServiceDown as error:
            log.warning("topic %s pauses for %g s: %s", topic, PAUSE_S, error)
            redis().set(TOPIC_PAUSE + topic, str(error), px=int(PAUSE_S * 1000))
            return 0


def _handle_rows(topic: Topic, service: S, handlers: Handlers[S], began: float) -> int:
    done = 0
    is_first = True
    while is_first or time.monotonic() - began < BEGIN_ROWS_S:
        is_first = False
        service.ensure_ready()
        lease = database().write_sync(outbox.lease_next, topic, handlers, _now())
        if lease is None:
            break
        done += _handle(lease, service, handlers)
    return done


def _handle(lease: Lease, service: S, handlers: Handlers[S]) -> bool:
    """Whether the row is done. Raises ServiceDown."""
    try:
        handlers[lease.kind](lease, service)
    except Later as error:
        _end(lease, outbox.postpone, _now() + timedelta(seconds=error.seconds), str(error))
    except NewerPayload as error:
        _end(lease, outbox.postpone, _now() + timedelta(seconds=NEWER_PAYLOAD_RETRY_S), str(error))
    except Undeliverable as error:
        _end(lease, outbox.kill, _now(), str(error))
    except ServiceDown as error:
        _end(lease, outbox.postpone, _now() + timedelta(seconds=PAUSE_S), str(error))
        raise
    except Exception as error:
        log.exception("outbox row %d: attempt %d failed", lease.id, lease.attempts)
        _end(lease, outbox.fail, _now(), f"{type(error).__name__}: {error}")
    else:
        return _end(lease, outbox.finish, _now())
    return False


def _end(lease: Lease, outcome: Outcome, at: datetime, reason: str = "") -> bool:
    is_ended: bool = database().write_sync(outcome, lease, at, *([reason] if reason else []))
    if not is_ended:
        log.warning("outbox row %d: the lease ran out, another worker has the row", lease.id)
    elif reason:
        log.warning("outbox row %d (%s): %s after attempt %d", lease.id, lease.kind, outcome.__name__, lease.attempts)
    return is_ended


@contextmanager
def _locked(topic: Topic) -> Iterator[bool]:
    """Whether this run handles the topic. The lock of a killed worker expires after LOCK_S."""
    token = uuid4().hex
    is_mine = bool(redis().set(TOPIC_LOCK + topic, token, nx=True, px=int(LOCK_S * 1000)))
    try:
        yield is_mine
    finally:
        if is_mine:
            with suppress(RedisError, OSError):
                redis().eval(_UNLOCK, 1, TOPIC_LOCK + topic, token)


def _now() -> datetime:
    return datetime.now(UTC)

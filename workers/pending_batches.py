"""Batches of visits that no worker has stored yet (docs/contracts.md, "visits"). The host registers them.

Celery's Redis transport removes a message from its list before it stores it as unacknowledged: if the worker freezes,
loses its connection or dies in between, the message is lost, whatever the acknowledgement settings are.
"""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from contracts import payloads
from contracts.payloads import NewerPayload, UnknownKind, VisitBatch
from contracts.redis_keys import (
    FORMER_PENDING_BATCHES,
    FORMER_PENDING_SINCE,
    NEWER_BATCHES,
    PENDING_BATCHES,
    PENDING_SINCE,
    UNKNOWN_KINDS,
)
from workers.app import redis

log = logging.getLogger("coursefront.workers.pending_batches")

# Maximum per run, which must end well before the next one.
MAX_BATCHES = 50
# The former keys, where hosts of the build before register batches, are read for one release.
_KEYS = ((PENDING_BATCHES, PENDING_SINCE), (FORMER_PENDING_BATCHES, FORMER_PENDING_SINCE))
Batch = tuple[str, Any]


def mark_stored(batch: str) -> None:
    """Remove a batch. If Redis is unavailable it stays pending and is stored again, which changes nothing."""
    try:
        with redis().pipeline() as pipe:
            _remove(pipe, batch)
            pipe.execute()
    except (RedisError, OSError) as error:
        log.info("batch %s stays pending: %s", batch, error)


def overdue(age_s: float) -> list[Batch]:
    """Ids and payloads of batches registered longer than `age_s` ago, oldest first."""
    return [batch for keys in _KEYS for batch in _overdue(*keys, until=time.time() - age_s)]


def _overdue(batches: str, since: str, until: float) -> list[Batch]:
    names = [str(name) for name in redis().zrangebyscore(since, 0, until, start=0, num=MAX_BATCHES)]
    texts = zip(names, redis().hmget(batches, names), strict=True) if names else ()
    overdue_batches = []
    for name, text in texts:
        if text is None:
            mark_stored(name)
        else:
            overdue_batches.append((name, json.loads(text)))
    return overdue_batches


@dataclass(frozen=True)
class SetAside:
    """A batch that workers of an older build set aside: in the hash `key` under `name`."""

    key: str
    name: str
    batch: str
    payload: Any


def set_aside(batch: str, payload: Any, reason: NewerPayload) -> None:
    """Set a batch aside that only a newer worker can read, until one stores it. Raises RedisError."""
    key, needs = (
        (UNKNOWN_KINDS, reason.kind) if isinstance(reason, UnknownKind) else (NEWER_BATCHES, str(reason.version))
    )
    with redis().pipeline() as pipe:
        pipe.hset(key, f"{needs}:{batch}", json.dumps(payload))
        _remove(pipe, batch)
        pipe.execute()


def set_aside_batches() -> list[SetAside]:
    """The batches that were set aside and that this build can read. Raises RedisError."""
    by_version = _set_aside_in(NEWER_BATCHES, lambda version: int(version.partition(":")[0]) <= VisitBatch.v)
    return by_version + _set_aside_in(UNKNOWN_KINDS, lambda kind: kind in payloads.VISIT_KINDS)


def _set_aside_in(key: str, is_readable: Callable[[str], bool]) -> list[SetAside]:
    names = [str(name).rpartition(":") for name in redis().hkeys(key)]
    readable = [(needs + colon + batch, batch) for needs, colon, batch in names if is_readable(needs)][:MAX_BATCHES]
    texts = redis().hmget(key, [name for name, _ in readable]) if readable else ()
    pairs = zip(readable, texts, strict=True)
    return [SetAside(key, name, batch, json.loads(text)) for (name, batch), text in pairs if text is not None]


def remove_set_aside(batch: SetAside) -> None:
    redis().hdel(batch.key, batch.name)


def _remove(pipe: Any, batch: str) -> None:
    for batches, since in _KEYS:
        pipe.hdel(batches, batch)
        pipe.zrem(since, batch)

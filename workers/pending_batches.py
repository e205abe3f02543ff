"""Batches of visits that no worker has stored yet (docs/contracts.md, "visits"). The host registers them.

Celery's Redis transport removes a message from its list before it stores it as unacknowledged: if the worker freezes,
loses its connection or dies in between, the message is lost, whatever the acknowledgement settings are.
"""

import json
import logging
import time
from typing import Any

from redis.exceptions import RedisError

from contracts.payloads import VisitBatch
from contracts.redis_keys import (
    FORMER_PENDING_BATCHES,
    FORMER_PENDING_SINCE,
    NEWER_BATCHES,
    PENDING_BATCHES,
    PENDING_SINCE,
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


def set_aside(batch: str, payload: Any, version: int) -> None:
    """Set a batch aside that only a newer worker can read, until one stores it. Raises RedisError."""
    with redis().pipeline() as pipe:
        pipe.hset(NEWER_BATCHES, f"{version}:{batch}", json.dumps(payload))
        _remove(pipe, batch)
        pipe.execute()


def set_aside_batches() -> list[Batch]:
    """Names and payloads of batches that workers of an older build set aside and this one can read."""
    names = [str(name) for name in redis().hkeys(NEWER_BATCHES)]
    readable = [name for name in names if int(name.partition(":")[0]) <= VisitBatch.v][:MAX_BATCHES]
    texts = zip(readable, redis().hmget(NEWER_BATCHES, readable), strict=True) if readable else ()
    return [(name, json.loads(text)) for name, text in texts if text is not None]


def remove_set_aside(name: str) -> None:
    redis().hdel(NEWER_BATCHES, name)


def _remove(pipe: Any, batch: str) -> None:
    for batches, since in _KEYS:
        pipe.hdel(batches, batch)
        pipe.zrem(since, batch)

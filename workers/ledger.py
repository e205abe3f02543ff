"""The ledger of batches that no worker has stored yet (docs/wire.md, "visits"; the host writes it).

Celery's Redis transport takes a message off its list first and notes that it did afterwards: a worker that is frozen,
cut off or killed in between takes the message with it, whatever the acknowledgement settings are.
"""

import json
import logging
import os
import time
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

log = logging.getLogger("coursefront.workers.ledger")

BATCHES = "coursefront:unstored"
SINCE = "coursefront:unstored:since"
# What one sweep takes at most: it must end well before the next.
MOST = 50

_redis: Redis | None = None


def _connection() -> Redis:
    """Opened by the process that uses it: connections do not survive a fork."""
    global _redis  # noqa: PLW0603 one per worker process
    if _redis is None:
        _redis = Redis.from_url(
            os.environ["REDIS_URL"], socket_timeout=2, socket_connect_timeout=1, decode_responses=True
        )
    return _redis


def forget(batch: str) -> None:
    """The batch is stored. With Redis away it stays in the ledger and is stored once more, which changes nothing."""
    try:
        with _connection().pipeline() as pipe:
            pipe.hdel(BATCHES, batch)
            pipe.zrem(SINCE, batch)
            pipe.execute()
    except (RedisError, OSError) as error:
        log.info("batch %s stays in the ledger: %s", batch, error)


def overdue(age_s: float) -> list[tuple[str, list[dict[str, Any]]]]:
    """Batches noted longer than `age_s` ago, oldest first."""
    redis = _connection()
    names = [str(name) for name in redis.zrangebyscore(SINCE, 0, time.time() - age_s, start=0, num=MOST)]
    found = zip(names, redis.hmget(BATCHES, names), strict=True) if names else ()
    batches = []
    for name, text in found:
        if text is None:
            forget(name)
        else:
            batches.append((name, json.loads(text)))
    return batches

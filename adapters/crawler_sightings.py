"""Sightings of crawlers in Redis (docs/contracts.md, "Sightings of crawlers"): hosts add them, a worker takes them."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import orjson
from redis import Redis
from redis.exceptions import RedisError

from contracts.payloads import CrawlerSighting, MalformedPayload, NewerPayload, decode, encode
from contracts.redis_keys import SIGHTINGS, SIGHTINGS_LOCK

# More than a worker looks at in half an hour.
MAX_WAITING = 10_000
# With the hour within which sightings are handed back, whole addresses are gone after a day.
LIFE_S = 23 * 3_600
# Longer than a run takes; a killed worker delays the next by no more.
LOCK_S = 30
TIMEOUT_S = 1.0
# The time to live begins with the first sighting, and no later one makes it longer. Returns how many were not taken.
_ADD = """
local room = ARGV[1] - redis.call('SCARD', KEYS[1])
local refused = 0
for i = 3, #ARGV do
  if room <= 0 then refused = refused + 1 else room = room - redis.call('SADD', KEYS[1], ARGV[i]) end
end
if redis.call('TTL', KEYS[1]) == -1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return refused
"""


def add(redis: Redis, sightings: Iterable[CrawlerSighting]) -> int:
    """Returns how many found no room. Raises RedisError."""
    texts = [orjson.dumps(encode(one)) for one in sightings]
    return int(cast("Any", redis.eval(_ADD, 1, SIGHTINGS, MAX_WAITING, LIFE_S, *texts))) if texts else 0


class SightingBox:
    """The sightings in Redis, for a host: it connects with the first of them, and waits for a second at most."""

    def __init__(self, redis_url: str):
        timeouts = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S}
        self._redis = Redis.from_url(redis_url, **timeouts)

    def try_add(self, sightings: Sequence[CrawlerSighting]) -> int:
        """Returns how many were not taken: all when Redis does not answer."""
        try:
            return add(self._redis, sightings)
        except (RedisError, OSError):
            return len(sightings)

    def close(self) -> None:
        self._redis.close()


def take(redis: Redis, most: int) -> list[CrawlerSighting]:
    """At most so many, in no certain order; they are in Redis no more. One that this build cannot read is dropped: its
    crawler comes again. Raises RedisError."""
    found = []
    for text in cast("Any", redis.spop(SIGHTINGS, most)) or ():
        try:
            found.append(decode(CrawlerSighting, orjson.loads(text)))
        except (ValueError, NewerPayload, MalformedPayload):
            continue
    return found


def lock(redis: Redis) -> bool:
    """Whether this worker alone asks DNS now: several would ask too often. Raises RedisError."""
    return bool(redis.set(SIGHTINGS_LOCK, "1", nx=True, ex=LOCK_S))


def unlock(redis: Redis) -> None:
    redis.delete(SIGHTINGS_LOCK)

"""Batches of visits that wait in Redis, each there once (docs/contracts.md, "visits"). Hosts put them there.

A worker claims some, stores them and removes them. What a killed worker has claimed is given back after a time, and so
is a batch that could not be stored although others could: meanwhile it delays nobody. Such a batch has failed once
more, and is claimed alone from then on: it may be the one that kills workers.
"""

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from redis.exceptions import RedisError

from contracts.redis_keys import BATCH_FAILURES, BATCHES, BATCHES_SINCE, CLAIMED_BATCHES, CLAIMED_SINCE
from workers.app import redis_of_bytes as redis

log = logging.getLogger("coursefront.workers.visit_batches")

# At most so many are stored in one transaction: with the setting's default of 500 visits each, 5,000.
MAX_BATCHES = 10
# And at most so many bytes, unless one batch alone has more: batches of VISIT_BATCH_ROWS=5000 are stored singly.
MAX_BYTES = 2 * 2**20

_KEYS = (BATCHES, BATCHES_SINCE, CLAIMED_BATCHES, CLAIMED_SINCE, BATCH_FAILURES)
# The oldest or newest batches: id and payload in turn. An id without a payload was removed meanwhile.
_CLAIM = """
local ids = redis.call(ARGV[4], KEYS[2], 0, ARGV[2] - 1, 'WITHSCORES')
local claimed, bytes = {}, 0
for i = 1, #ids, 2 do
  local payload = redis.call('HGET', KEYS[1], ids[i])
  local has_failed = redis.call('HEXISTS', KEYS[5], ids[i]) == 1
  if payload then
    bytes = bytes + #payload
    if #claimed > 0 and (has_failed or bytes > tonumber(ARGV[3])) then break end
    redis.call('ZADD', KEYS[3], ARGV[1], ids[i])
    redis.call('ZADD', KEYS[4], ids[i + 1], ids[i])
    for _, value in ipairs({ids[i], payload}) do claimed[#claimed + 1] = value end
  end
  redis.call('ZREM', KEYS[2], ids[i])
  if payload and has_failed then break end
end
return claimed
"""
# Only what is still claimed: a batch that was stored meanwhile must not wait again.
_GIVE_BACK = """
for i = 2, #ARGV do
  if redis.call('ZSCORE', KEYS[3], ARGV[i]) then
    redis.call('ZADD', KEYS[2], redis.call('ZSCORE', KEYS[4], ARGV[i]), ARGV[i])
    redis.call('ZREM', KEYS[3], ARGV[i])
    redis.call('ZREM', KEYS[4], ARGV[i])
    if ARGV[1] == 'failed' then redis.call('HINCRBY', KEYS[5], ARGV[i], 1) end
  end
end
"""


@dataclass(frozen=True)
class Claimed:
    payload: bytes


def claim(most: int = MAX_BATCHES) -> dict[str, Claimed]:
    """At most `most` batches of MAX_BYTES by their ids, the oldest first. Raises RedisError."""
    return _claim("ZRANGE", most)


def claim_newest() -> dict[str, Claimed]:
    """The newest batch, if one waits. Raises RedisError."""
    return _claim("ZREVRANGE", 1)


def _claim(order: str, most: int) -> dict[str, Claimed]:
    batches = cast("list[bytes]", _eval(_CLAIM, str(time.time()), str(most), str(MAX_BYTES), order))
    pairs = zip(batches[::2], batches[1::2], strict=True)
    return {name.decode("utf-8", "replace"): Claimed(payload) for name, payload in pairs}


def _eval(script: str, *arguments: Any) -> Any:
    return redis().eval(script, len(_KEYS), *_KEYS, *arguments)


def give_back(batches: Collection[str]) -> None:
    """Let the next worker claim them: they are as old as before. If Redis is unavailable, `give_back_old` does it
    later."""
    try:
        _give_back("unstored", batches)
    except (RedisError, OSError) as error:
        log.info("%d claimed batches are given back later: %s", len(batches), error)


def give_back_old(age_s: float) -> int:
    """Give back what was claimed longer than `age_s` ago: its worker was killed, hangs, or could not store it. Each has
    failed once more. Raises RedisError."""
    batches = cast("list[bytes]", redis().zrangebyscore(CLAIMED_BATCHES, 0, time.time() - age_s))
    _give_back("failed", batches)
    return len(batches)


def _give_back(how: str, batches: Collection[Any]) -> None:
    if batches:
        _eval(_GIVE_BACK, how, *batches)


def failures_of(batch: str) -> int:
    """How often it was given back by `give_back_old`. Raises RedisError."""
    return int(cast("bytes | None", redis().hget(BATCH_FAILURES, batch)) or 0)


def is_overdue(age_s: float) -> bool:
    """Whether a batch waits longer than that: no message came for it, or workers are late. Raises RedisError."""
    oldest = cast("list[Any]", redis().zrange(BATCHES_SINCE, 0, 0, withscores=True))
    return bool(oldest) and float(oldest[0][1]) <= time.time() - age_s


def remove(batches: list[str]) -> None:
    """After they were stored. If Redis is unavailable they are given back and stored again, which changes nothing."""
    try:
        with redis().pipeline() as pipe:
            pipe.hdel(BATCHES, *batches)
            pipe.zrem(CLAIMED_BATCHES, *batches)
            pipe.zrem(CLAIMED_SINCE, *batches)
            # One that was given back meanwhile.
            pipe.zrem(BATCHES_SINCE, *batches)
            pipe.hdel(BATCH_FAILURES, *batches)
            pipe.execute()
    except (RedisError, OSError) as error:
        log.info("%d stored batches stay in Redis: %s", len(batches), error)

"""Rate limits: fixed windows counted in Redis; while Redis is unavailable in this process, at half the limit. Limits of
visits are counted in this process and reported to Redis with their batches."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from aiohttp import web
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from host.http.problems import RateLimited
from host.messaging.reported_counts import ReportedCounts, slot_name
from host.resilience.circuit_breaker import CircuitBreaker

log = logging.getLogger("coursefront.rate_limits")

# Counting must not delay a visitor longer than this; after it this process counts. A busy event loop uses a good part
# of it before it reads the reply.
DEADLINE_S = 0.25
MAX_KEYS = 100_000


class RateLimit(NamedTuple):
    """At most `limit` times within `window_s` seconds for one `key`; 0 means unlimited."""

    key: str
    limit: int
    window_s: int


_Slot = tuple[str, RateLimit]


class Limiter:
    """Counts events against limits. Without Redis every process has its own counts. `reported`: counts of `check_here`,
    which the sender of visits reports to Redis."""

    def __init__(self, redis_url: str | None, enabled: bool):
        self.is_enabled = enabled
        self._shared = None if redis_url is None else _SharedCounts(redis_url)
        self._local: OrderedDict[str, int] = OrderedDict()
        self._breaker = CircuitBreaker("Redis", self._ping)
        self.reported = ReportedCounts(is_shared=enabled and redis_url is not None)

    async def check(self, *limits: RateLimit) -> None:
        """Count one event against each limit. Raises RateLimited when one of them is exceeded."""
        if not self.is_enabled:
            return
        now = time.time()
        active = [limit for limit in limits if limit.limit]
        if not active:
            return
        counts = await self._counts([self._slot(limit, now) for limit in active], active)
        for limit, (count, divisor) in zip(active, counts, strict=True):
            if count > max(1, limit.limit // divisor):
                raise RateLimited(_retry_after_s(limit, now))

    def check_here(self, *limits: RateLimit) -> None:
        """Count one event against each limit without asking Redis: several processes may together allow more, as much
        as comes in between two reports. Raises RateLimited when a limit is exceeded."""
        if not self.is_enabled:
            return
        now, exceeds, refused = time.time(), self.reported.exceeds, None
        for limit in limits:
            if limit.limit and exceeds(*limit, now) and refused is None:
                refused = limit
        if refused is not None:
            raise RateLimited(_retry_after_s(refused, now))

    async def give_back(self, limit: RateLimit) -> None:
        """Uncount an event of `check` that was none. While Redis does not answer it stays counted."""
        if not self.is_enabled or not limit.limit:
            return
        slot = self._slot(limit, time.time())
        if self._shared is None or self._breaker.is_open:
            self._local[slot] = self._local.pop(slot, 0) - 1
            return
        with suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(DEADLINE_S):
                await self._shared.subtract(slot, limit)

    async def count_alarm(self, limit: RateLimit) -> None:
        """Count an event that is allowed; log an alarm once per window when the limit is exceeded."""
        if not limit.limit:
            return
        now = time.time()
        ((count, divisor),) = await self._counts([self._slot(limit, now)], [limit])
        if count == max(1, limit.limit // divisor) + 1:
            log.error("alarm: more than %d of %s within %d s", limit.limit, limit.key, limit.window_s)

    def _slot(self, limit: RateLimit, now: float) -> str:
        return slot_name(limit.key, limit.window_s, now)

    async def _counts(self, slots: list[str], limits: list[RateLimit]) -> list[tuple[int, int]]:
        """For each slot the count so far, and what to divide the limit by for it."""
        if self._shared is None:
            return [(self._count_locally(slot), 1) for slot in slots]
        if not self._breaker.is_open:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    return [(count, 1) for count in await self._shared.add(list(zip(slots, limits, strict=True)))]
            except (RedisError, OSError, TimeoutError) as error:
                self._breaker.trip(f"{str(error) or 'it is slow'}; limits are counted in this process")
        return [(self._count_locally(slot), 2) for slot in slots]

    async def _ping(self) -> None:
        if self._shared is not None:
            async with asyncio.timeout(DEADLINE_S):
                await self._shared.redis.ping()

    def _count_locally(self, slot: str) -> int:
        count = self._local[slot] = self._local.pop(slot, 0) + 1
        if len(self._local) > MAX_KEYS:
            self._local.popitem(last=False)
        return count

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        await self._breaker.close()
        if self._shared is not None:
            await self._shared.close()


def _retry_after_s(limit: RateLimit, now: float) -> int:
    """Until the end of the window."""
    return int(limit.window_s - now % limit.window_s) + 1


LIMITER = web.AppKey("limiter", Limiter)


class _SharedCounts:
    """Counters in Redis. Events that arrive during a round trip are counted together in the next one, so that many
    concurrent requests need one connection."""

    def __init__(self, redis_url: str):
        retry = Retry(NoBackoff(), 0)
        timeout_s = 2 * DEADLINE_S
        self.redis = Redis.from_url(redis_url, socket_timeout=timeout_s, socket_connect_timeout=timeout_s, retry=retry)
        self._waiting: list[tuple[list[_Slot], asyncio.Future[list[int]]]] = []
        self._sending: asyncio.Task[None] | None = None

    async def add(self, slots: list[_Slot]) -> list[int]:
        """Increment each slot and return its new count. Raises RedisError, OSError, TimeoutError."""
        result: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        self._waiting.append((slots, result))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send_batches())
        return await result

    async def _send_batches(self) -> None:
        while self._waiting:
            # Callers that have timed out count in their own process.
            batch = [(slots, result) for slots, result in self._waiting if not result.done()]
            self._waiting = []
            try:
                async with asyncio.timeout(DEADLINE_S):
                    counts = iter(await self._count([slot for slots, _ in batch for slot in slots]))
            except Exception as error:
                # Also for an unexpected error: the callers must not wait until their own deadline.
                for _, result in batch:
                    if not result.done():
                        result.set_exception(error)
                continue
            for slots, result in batch:
                own_counts = list(islice(counts, len(slots)))
                if not result.done():
                    result.set_result(own_counts)

    async def _count(self, slots: list[_Slot]) -> list[int]:
        async with self.redis.pipeline(transaction=False) as pipe:
            for slot, limit in slots:
                pipe.incr(slot)
                pipe.expire(slot, limit.window_s * 2)
            replies = await pipe.execute()
        return [int(count) for count in replies[::2]]

    async def subtract(self, slot: str, limit: RateLimit) -> None:
        """Decrement a slot. Raises as `add` does."""
        async with self.redis.pipeline(transaction=False) as pipe:
            pipe.decr(slot)
            pipe.expire(slot, limit.window_s * 2)
            await pipe.execute()

    async def close(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)
        await self.redis.aclose()

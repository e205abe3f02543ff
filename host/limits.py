"""Rate limits: fixed windows counted in Redis, in this process at half the budget while Redis is away."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from host.breaker import Breaker

log = logging.getLogger("coursefront.limits")

# Counting must not cost a visitor more than this; past it the count goes on in this process.
DEADLINE_S = 0.1
MOST_KEYS = 100_000


@dataclass(frozen=True)
class Budget:
    """`most` times within `window_s` for one `key`; most 0 means no limit."""

    key: str
    most: int
    window_s: int


class TooMany(Exception):
    """The budget is spent; `retry_after_s` says when the next window begins."""

    def __init__(self, retry_after_s: int):
        super().__init__("Too many requests. Please wait a moment.")
        self.retry_after_s = retry_after_s


class Limiter:
    """`take` spends one unit of each budget or raises TooMany. Without Redis every process keeps its own count."""

    def __init__(self, redis_url: str | None, enabled: bool):
        self._enabled = enabled
        self._redis: Redis | None = None
        if redis_url is not None:
            retry = Retry(NoBackoff(), 0)
            self._redis = Redis.from_url(redis_url, socket_timeout=0.5, socket_connect_timeout=0.5, retry=retry)
        self._local: OrderedDict[str, int] = OrderedDict()
        self._breaker = Breaker("Redis", self._ping)

    async def take(self, *budgets: Budget) -> None:
        if not self._enabled:
            return
        now = time.time()
        wanted = [budget for budget in budgets if budget.most]
        if not wanted:
            return
        counts = await self._counts([self._slot(budget, now) for budget in wanted], wanted)
        for budget, (count, share) in zip(wanted, counts, strict=True):
            if count > max(1, budget.most // share):
                raise TooMany(int(budget.window_s - now % budget.window_s) + 1)

    async def note(self, budget: Budget) -> None:
        """Counts what is worth an alarm when there is too much of it: one line in the log for each window."""
        if not budget.most:
            return
        now = time.time()
        ((count, share),) = await self._counts([self._slot(budget, now)], [budget])
        if count == max(1, budget.most // share) + 1:
            log.error("alarm: more than %d of %s within %d s", budget.most, budget.key, budget.window_s)

    def _slot(self, budget: Budget, now: float) -> str:
        return f"limit:{budget.key}:{int(now // budget.window_s)}"

    async def _counts(self, slots: list[str], budgets: list[Budget]) -> list[tuple[int, int]]:
        """(count so far, share of the budget this count may use) for each slot."""
        if self._redis is None:
            return [(self._count_here(slot), 1) for slot in slots]
        redis = self._redis
        if not self._breaker.is_open:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    return [(count, 1) for count in await _count_there(redis, slots, budgets)]
            except (RedisError, OSError, TimeoutError) as error:
                self._breaker.trip(f"{error or 'it is slow'}; limits are counted in this process")
        return [(self._count_here(slot), 2) for slot in slots]

    async def _ping(self) -> None:
        if self._redis is not None:
            async with asyncio.timeout(DEADLINE_S):
                await self._redis.ping()

    def _count_here(self, slot: str) -> int:
        count = self._local[slot] = self._local.pop(slot, 0) + 1
        if len(self._local) > MOST_KEYS:
            self._local.popitem(last=False)
        return count

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        yield
        await self._breaker.close()
        if self._redis is not None:
            await self._redis.aclose()


async def _count_there(redis: Redis, slots: list[str], budgets: list[Budget]) -> list[int]:
    async with redis.pipeline(transaction=False) as pipe:
        for slot, budget in zip(slots, budgets, strict=True):
            pipe.incr(slot)
            pipe.expire(slot, budget.window_s * 2)
        answers = await pipe.execute()
    return [int(count) for count in answers[::2]]

"""Rate limits: fixed windows counted in Redis, in this process at half the budget while Redis is away."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import islice

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from host.breaker import Breaker

log = logging.getLogger("coursefront.limits")

# Counting must not cost a visitor more than this; past it the count goes on in this process. A busy host takes a good
# part of it to come round to the answer.
DEADLINE_S = 0.25
MOST_KEYS = 100_000


@dataclass(frozen=True)
class Budget:
    """`most` times within `window_s` for one `key`; most 0 means no limit."""

    key: str
    most: int
    window_s: int


_Slot = tuple[str, Budget]


class TooMany(Exception):
    """The budget is spent; `retry_after_s` says when the next window begins."""

    def __init__(self, retry_after_s: int):
        super().__init__("Too many requests. Please wait a moment.")
        self.retry_after_s = retry_after_s


class Limiter:
    """`take` spends one unit of each budget or raises TooMany. Without Redis every process keeps its own count."""

    def __init__(self, redis_url: str | None, enabled: bool):
        self._enabled = enabled
        self._there = None if redis_url is None else _Counts(redis_url)
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
        # Half a surrogate pair, which JSON may bring, cannot be written to Redis.
        key = budget.key.encode("utf-8", "backslashreplace").decode()
        return f"limit:{key}:{int(now // budget.window_s)}"

    async def _counts(self, slots: list[str], budgets: list[Budget]) -> list[tuple[int, int]]:
        """(count so far, share of the budget this count may use) for each slot."""
        if self._there is None:
            return [(self._count_here(slot), 1) for slot in slots]
        if not self._breaker.is_open:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    return [(count, 1) for count in await self._there.add(list(zip(slots, budgets, strict=True)))]
            except (RedisError, OSError, TimeoutError) as error:
                self._breaker.trip(f"{str(error) or 'it is slow'}; limits are counted in this process")
        return [(self._count_here(slot), 2) for slot in slots]

    async def _ping(self) -> None:
        if self._there is not None:
            async with asyncio.timeout(DEADLINE_S):
                await self._there.redis.ping()

    def _count_here(self, slot: str) -> int:
        count = self._local[slot] = self._local.pop(slot, 0) + 1
        if len(self._local) > MOST_KEYS:
            self._local.popitem(last=False)
        return count

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        yield
        await self._breaker.close()
        if self._there is not None:
            await self._there.close()


class _Counts:
    """Counters in Redis. Whoever counts while an answer is under way goes with the next question, all in one: a crowd
    costs one connection, where each for themselves would run out of them."""

    def __init__(self, redis_url: str):
        retry = Retry(NoBackoff(), 0)
        self.redis = Redis.from_url(redis_url, socket_timeout=0.5, socket_connect_timeout=0.5, retry=retry)
        self._waiting: list[tuple[list[_Slot], asyncio.Future[list[int]]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def add(self, slots: list[_Slot]) -> list[int]:
        """One more for each slot: what it then counts. Raises RedisError, OSError, TimeoutError."""
        answer: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
        self._waiting.append((slots, answer))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_for_all())
        return await answer

    async def _ask_for_all(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, []
            # Who has given up meanwhile has been counted elsewhere.
            asked = [one for one in asked if not one[1].done()]
            try:
                async with asyncio.timeout(DEADLINE_S):
                    counts = iter(await self._count([slot for slots, _ in asked for slot in slots]))
            except Exception as error:
                # Whatever it is, nobody waits for an answer that will not come.
                for _, answer in asked:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for slots, answer in asked:
                mine = list(islice(counts, len(slots)))
                if not answer.done():
                    answer.set_result(mine)

    async def _count(self, slots: list[_Slot]) -> list[int]:
        async with self.redis.pipeline(transaction=False) as pipe:
            for slot, budget in slots:
                pipe.incr(slot)
                pipe.expire(slot, budget.window_s * 2)
            answers = await pipe.execute()
        return [int(count) for count in answers[::2]]

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        await self.redis.aclose()

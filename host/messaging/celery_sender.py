"""Senders of visit batches: to Celery workers over Redis, or inline when there is no broker."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import orjson
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from adapters import telemetry
from contracts.payloads import decode_visits
from contracts.redis_keys import BATCHES, BATCHES_SINCE
from contracts.tasks import Task
from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.visits import storing
from host.messaging.reply_channel import encode_message
from host.messaging.reported_counts import CountReport, ReportedCounts
from host.messaging.visit_queue import PublishFailed
from host.resilience.background_loop import BackgroundLoop

# Redis may confirm 2 s before it writes to a busy disk (`appendfsync everysec`), and a replica may lag as much.
# Batches sent within this time are sent again after a new connection, which Redis may have lost.
RECENT_S = 5.0
MAX_RECENT_BYTES = 64 * 2**20
CHECK_EVERY_S = 0.5
# What a worker takes at once (workers/visit_batches.py).
BATCHES_A_MESSAGE = 10
# The batch is there once; messages only say that some wait. One is sent while those in the queue are too few for all
# batches that wait: a worker which has too much to do is not told of every batch.
_SEND = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if redis.call('LLEN', KEYS[3]) * ARGV[5] < redis.call('ZCARD', KEYS[2]) then
  redis.call('LPUSH', KEYS[3], ARGV[4])
end
"""
# Counts of rate limits are added in the same step, and their sums are the answer. The first to count in a window says
# when it is forgotten.
_COUNT = """
local totals = {}
for number, count in ipairs(cjson.decode(ARGV[1])) do
  totals[number] = redis.call('INCRBY', count[1], count[2])
  if totals[number] == count[2] then
    redis.call('EXPIRE', count[1], count[3])
  end
end
return cjson.encode(totals)
"""
_SEND_AND_COUNT = _SEND + _COUNT.replace("ARGV[1]", "ARGV[6]")


class CelerySender:
    """Sends from its own thread with a short deadline. `counts` are reported with the batches, and while there are none
    every CHECK_EVERY_S."""

    def __init__(self, redis_url: str, deadline_s: float, counts: ReportedCounts | None = None):
        self._deadline_s = deadline_s
        self._counts = ReportedCounts(is_shared=False) if counts is None else counts
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="broker")
        self.loop = BackgroundLoop("sending recent visits again", self.replay_recent)
        # Batches sent within RECENT_S: when, id and payload; and whether the connection was reopened since. Only the
        # thread uses them.
        self._recent: deque[tuple[float, str, bytes]] = deque()
        self._recent_bytes = 0
        self._has_reconnected = False
        # Connects on the first command. No retries: `send` has a short deadline, then the spool takes the batch.
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=deadline_s,
            socket_connect_timeout=deadline_s,
            retry=Retry(NoBackoff(), 0),
            redis_connect_func=self._on_connect,
        )
        self._send_script = self._redis.register_script(_SEND)
        self._send_and_count_script = self._redis.register_script(_SEND_AND_COUNT)
        self._count_script = self._redis.register_script(_COUNT)

    def _on_connect(self, connection: Any) -> None:
        connection.on_connect()
        self._has_reconnected = True

    async def send(self, payload: bytes) -> None:
        """Raises PublishFailed when Redis refuses or does not reply in time; it may still have taken the batch."""
        # While Redis is away, counts wait until it answers.
        report = None if self._counts.is_alone else self._counts.take()
        send = partial(self._send_sync, uuid4().hex, payload, b"" if report is None else report.payload)
        await self._with_report(report, send)

    async def _with_report(self, report: CountReport | None, send: Callable[[], bytes]) -> None:
        """Call `send` in the thread and hand its answer to the report. Raises PublishFailed."""
        try:
            async with asyncio.timeout(self._deadline_s):
                totals = await asyncio.get_running_loop().run_in_executor(self._thread, send)
        except BaseException as error:
            self._counts.is_alone = True
            if report is not None:
                report.fail()
            if isinstance(error, TimeoutError):
                raise PublishFailed(f"no reply from Redis within {self._deadline_s:g} s") from None
            raise
        if report is not None:
            report.finish(orjson.loads(totals))

    def _send_sync(self, batch: str, payload: bytes, counts: bytes = b"") -> bytes:
        """The sums of the counts, b"" without any."""
        try:
            with telemetry.span(f"send {Task.STORE_VISIT_BATCHES}", "producer"):
                totals = self._add(batch, payload, counts)
        except (RedisError, OSError) as error:
            raise PublishFailed(f"Redis did not take the batch: {error}") from error
        if not self._recent:
            # Every batch of earlier connections is older than RECENT_S and stored.
            self._has_reconnected = False
        self._recent.append((time.monotonic(), batch, payload))
        self._recent_bytes += len(payload)
        while self._recent_bytes > MAX_RECENT_BYTES:
            self._forget_oldest()
        return totals

    def _add(self, batch: str, payload: bytes, counts: bytes) -> bytes:
        task = Task.STORE_VISIT_BATCHES
        message = encode_message(task, {}, uuid4().hex, "", None)
        keys = (BATCHES, BATCHES_SINCE, str(task.queue))
        values = (batch, payload, time.time(), message, BATCHES_A_MESSAGE)
        if not counts:
            self._send_script(keys, values)
            return b""
        return bytes(self._send_and_count_script(keys, (*values, counts)))

    def _forget_oldest(self) -> None:
        self._recent_bytes -= len(self._recent.popleft()[2])

    async def replay_recent(self) -> None:
        """After a pause, send batches again that a killed Redis may have lost. Storing one twice has no effect. Report
        counts that no batch took along: of visits that were refused, or counted while Redis was away."""
        await asyncio.sleep(CHECK_EVERY_S)
        with contextlib.suppress(PublishFailed):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._replay_if_reconnected)
            await self._report_counts()

    async def _report_counts(self) -> None:
        """Raises PublishFailed while Redis is unavailable."""
        if self._counts.is_alone:
            # Counts whose report fails are not reported again: Redis must be there first.
            await self._with_report(None, self._ping)
            self._counts.is_alone = False
        while report := self._counts.take():
            await self._with_report(report, partial(self._count, report.payload))

    def _count(self, counts: bytes) -> bytes:
        """The sums of the counts. Raises PublishFailed."""
        try:
            return bytes(self._count_script((), (counts,)))
        except (RedisError, OSError) as error:
            raise PublishFailed(f"Redis did not take the counts: {error}") from error

    def _ping(self) -> bytes:
        """Raises PublishFailed while Redis is unavailable."""
        try:
            self._redis.ping()
        except (RedisError, OSError) as error:
            raise PublishFailed("Redis is unavailable") from error
        return b""

    def _replay_if_reconnected(self) -> None:
        """Raises PublishFailed while Redis is unavailable; batches are then tried again at the next check."""
        if not self._recent:
            return
        self._ping()
        if self._has_reconnected:
            self._send_again()
        oldest = time.monotonic() - RECENT_S
        while self._recent and self._recent[0][0] < oldest:
            self._forget_oldest()

    def _send_again(self) -> None:
        for _, batch, payload in self._recent.copy():
            self._send_sync(batch, payload)
            self._forget_oldest()
        self._has_reconnected = False

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._redis.close()


class InlineSender:
    """Stores batches in this process, with the function that workers call (REDIS_URL=none)."""

    def __init__(self, db: Database):
        self._db = db

    async def send(self, payload: bytes) -> None:
        batch, at = decode_visits(orjson.loads(payload)), datetime.now(UTC)
        try:
            await self._db.write(storing.store_batch, batch, at)
        except ServiceUnavailable as error:
            raise PublishFailed("the database is unavailable") from error

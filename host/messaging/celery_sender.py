"""Ways for a batch to reach its task: through Celery over Redis, or in place when there is no broker."""

import asyncio
import contextlib
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from domain import visits
from domain.db import Database
from domain.errors import Unavailable
from host.dispatch import NotSent, Rows

if TYPE_CHECKING:
    from celery import Celery

TASK = "visits.store"
QUEUE = "visits"
# docs/wire.md, "visits": batches that no worker has stored yet, and since when.
UNSTORED = "coursefront:unstored"
UNSTORED_SINCE = "coursefront:unstored:since"
# Redis may say yes 2 s before it writes (`appendfsync everysec`, the disk busy), and a replica may lag as far behind.
# For so long the host can send again what a killed Redis took down with it.
REMEMBERED_S = 5.0
CHECK_EVERY_S = 0.5


def kombu_url(redis_url: str) -> str:
    """redis-py and kombu write a Unix socket's address differently."""
    return redis_url.replace("unix://", "redis+socket://", 1)


class CelerySender:
    """One thread sends by task name: Celery's producer blocks, and the loop must not."""

    def __init__(self, redis_url: str, deadline_s: float):
        self._url, self._deadline_s = redis_url, deadline_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="broker")
        self._app: Celery | None = None
        # What was sent a moment ago, and whether the connection is another one since. Both belong to the thread.
        self._recent: deque[tuple[float, Rows]] = deque()
        self._is_anew = False
        # In use once the thread asks for something; no retries, for the same reason as below.
        self._ledger = Redis.from_url(
            redis_url,
            socket_timeout=deadline_s,
            socket_connect_timeout=deadline_s,
            retry=Retry(NoBackoff(), 0),
            redis_connect_func=self._connected,
        )

    def _connected(self, connection: Any) -> None:
        connection.on_connect()
        self._is_anew = True

    async def send(self, rows: Rows) -> None:
        """Raises NotSent when Redis refuses or has not answered in time; it may still have taken the batch."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._deadline_s):
                await loop.run_in_executor(self._thread, self._send_now, rows)
        except TimeoutError:
            raise NotSent(f"no answer from Redis within {self._deadline_s:g} s") from None

    def _send_now(self, rows: Rows) -> None:
        from kombu.exceptions import KombuError

        batch = uuid4().hex
        try:
            self._note(batch, rows)
            self._celery().send_task(TASK, args=[rows], task_id=batch, queue=QUEUE, ignore_result=True, retry=False)
        except (KombuError, RedisError, OSError, RuntimeError) as error:
            raise NotSent(f"Redis did not take the batch: {error}") from error
        if not self._recent:
            # Nothing from before this connection could be missing.
            self._is_anew = False
        self._recent.append((time.monotonic(), rows))

    async def keep_safe(self) -> None:
        """Until cancelled: what a Redis that broke down had taken last is sent again. Stored twice it counts once."""
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            with contextlib.suppress(NotSent, RuntimeError):
                await asyncio.get_running_loop().run_in_executor(self._thread, self._check)

    def _check(self) -> None:
        """While Redis is away nothing is forgotten; raises NotSent then."""
        if not self._recent:
            return
        try:
            self._ledger.ping()
        except (RedisError, OSError) as error:
            raise NotSent("Redis is away") from error
        if self._is_anew:
            self._send_again()
        old = time.monotonic() - REMEMBERED_S
        while self._recent and self._recent[0][0] < old:
            self._recent.popleft()

    def _send_again(self) -> None:
        lost = self._recent.copy()
        for _, rows in lost:
            self._send_now(rows)
            self._recent.popleft()
        self._is_anew = False

    def _note(self, batch: str, rows: Rows) -> None:
        """Into the ledger first: a message can go down with the worker that took it, the ledger cannot."""
        with self._ledger.pipeline() as pipe:
            pipe.hset(UNSTORED, batch, orjson.dumps(rows).decode())
            pipe.zadd(UNSTORED_SINCE, {batch: time.time()})
            pipe.execute()

    def _celery(self) -> "Celery":
        if self._app is None:
            self._app = _producer(self._url, self._deadline_s)
        return self._app

    async def warm(self) -> None:
        """Import Celery before the first visit waits for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._celery)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._ledger.close()


def _producer(redis_url: str, deadline_s: float) -> "Celery":
    from celery import Celery

    app = Celery("coursefront", broker=kombu_url(redis_url), set_as_current=False)
    options: dict[str, Any] = {
        "socket_timeout": deadline_s,
        "socket_connect_timeout": deadline_s,
        "retry_policy": {"timeout": deadline_s},
        "visibility_timeout": 60,
    }
    app.conf.update(
        task_serializer="json",
        task_ignore_result=True,
        broker_transport_options=options,
        broker_connection_retry=False,
        broker_pool_limit=2,
    )
    return app


class InPlaceSender:
    """REDIS_URL=none: the same function, in this process."""

    def __init__(self, db: Database):
        self._db = db

    async def send(self, rows: Rows) -> None:
        try:
            await self._db.run(visits.store, rows, datetime.now(UTC))
        except Unavailable as error:
            raise NotSent("the records cannot be reached") from error

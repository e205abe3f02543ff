"""Senders of visit batches: through Celery over Redis, or inline when there is no broker."""

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

from adapters import telemetry
from adapters.telemetry import TRACEPARENT
from config import defaults
from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import PENDING_BATCHES, PENDING_SINCE
from contracts.tasks import QUEUE_OF, SENT_AT, Task
from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.visits import visits
from host.messaging.visit_queue import PublishFailed, Rows
from host.resilience.background_loop import BackgroundLoop

if TYPE_CHECKING:
    from celery import Celery

# Redis may confirm 2 s before it writes to a busy disk (`appendfsync everysec`), and a replica may lag as much.
# Batches sent within this time are sent again after a new connection, which Redis may have lost.
RECENT_S = 5.0
CHECK_EVERY_S = 0.5


class CelerySender:
    """Sends by task name from its own thread, because Celery's producer would block the event loop."""

    def __init__(self, redis_url: str, deadline_s: float):
        self._url, self._deadline_s = redis_url, deadline_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="broker")
        self._app: Celery | None = None
        self.loop = BackgroundLoop("sending recent visits again", self.replay_recent)
        # Batches sent within RECENT_S, and whether the connection was reopened since. Only the thread uses them.
        self._recent: deque[tuple[float, Rows]] = deque()
        self._has_reconnected = False
        # Connects on the first command. No retries: `send` has a short deadline, then the spool takes the batch.
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=deadline_s,
            socket_connect_timeout=deadline_s,
            retry=Retry(NoBackoff(), 0),
            redis_connect_func=self._on_connect,
        )

    def _on_connect(self, connection: Any) -> None:
        connection.on_connect()
        self._has_reconnected = True

    async def send(self, rows: Rows) -> None:
        """Raises PublishFailed when Redis refuses or does not reply in time; it may still have taken the batch."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._deadline_s):
                await loop.run_in_executor(self._thread, self._send_sync, rows)
        except TimeoutError:
            raise PublishFailed(f"no reply from Redis within {self._deadline_s:g} s") from None

    def _send_sync(self, rows: Rows) -> None:
        from kombu.exceptions import KombuError

        batch, payload = uuid4().hex, encode(VisitBatch(rows=rows))
        options: dict[str, Any] = {"queue": str(QUEUE_OF[Task.STORE_VISITS]), "ignore_result": True, "retry": False}
        try:
            self._register_pending(batch, payload)
            with telemetry.span(f"send {Task.STORE_VISITS}", "producer"):
                options["headers"] = {SENT_AT: time.time(), TRACEPARENT: telemetry.traceparent()}
                self._celery().send_task(str(Task.STORE_VISITS), kwargs={"batch": payload}, task_id=batch, **options)
        except (KombuError, RedisError, OSError, RuntimeError) as error:
            raise PublishFailed(f"Redis did not take the batch: {error}") from error
        if not self._recent:
            # Every batch of earlier connections is older than RECENT_S and stored.
            self._has_reconnected = False
        self._recent.append((time.monotonic(), rows))

    async def replay_recent(self) -> None:
        """After a pause, send batches again that a killed Redis may have lost. Storing one twice has no effect."""
        await asyncio.sleep(CHECK_EVERY_S)
        with contextlib.suppress(PublishFailed):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._replay_if_reconnected)

    def _replay_if_reconnected(self) -> None:
        """Raises PublishFailed while Redis is unavailable; batches are then tried again at the next check."""
        if not self._recent:
            return
        try:
            self._redis.ping()
        except (RedisError, OSError) as error:
            raise PublishFailed("Redis is unavailable") from error
        if self._has_reconnected:
            self._send_again()
        oldest = time.monotonic() - RECENT_S
        while self._recent and self._recent[0][0] < oldest:
            self._recent.popleft()

    def _send_again(self) -> None:
        for _, rows in self._recent.copy():
            self._send_sync(rows)
            self._recent.popleft()
        self._has_reconnected = False

    def _register_pending(self, batch: str, payload: dict[str, Any]) -> None:
        """Call it before sending: a message is lost when its worker is killed, this entry remains."""
        with self._redis.pipeline() as pipe:
            pipe.hset(PENDING_BATCHES, batch, orjson.dumps(payload).decode())
            pipe.zadd(PENDING_SINCE, {batch: time.time()})
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
        self._redis.close()


def _producer(redis_url: str, deadline_s: float) -> "Celery":
    from celery import Celery

    app = Celery("coursefront", broker=defaults.celery_broker_url(redis_url), set_as_current=False)
    options: dict[str, Any] = {
        "socket_timeout": deadline_s,
        "socket_connect_timeout": deadline_s,
        "retry_policy": {"timeout": deadline_s},
        "visibility_timeout": defaults.VISIBILITY_TIMEOUT_S,
    }
    app.conf.update(
        task_serializer="json",
        task_ignore_result=True,
        broker_transport_options=options,
        broker_connection_retry=False,
        broker_pool_limit=2,
    )
    return app


class InlineSender:
    """Stores batches in this process, with the function that workers call (REDIS_URL=none)."""

    def __init__(self, db: Database):
        self._db = db

    async def send(self, rows: Rows) -> None:
        try:
            await self._db.write(visits.store_visits, rows, datetime.now(UTC))
        except ServiceUnavailable as error:
            raise PublishFailed("the database is unavailable") from error

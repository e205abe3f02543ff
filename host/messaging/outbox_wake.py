"""Wakes the workers after a commit that wrote rows of the outbox."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from aiohttp import web
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from contracts.tasks import QUEUE_OF, RUNNER_OF, Topic
from host.messaging.inline_outbox import InlineOutbox
from host.messaging.reply_channel import encode_message

# By then beat has sent the same task.
EXPIRES = timedelta(seconds=2)


class OutboxWaker:
    """Sends the task of a topic. A wake only saves waiting for beat, so one that fails is not repeated."""

    def __init__(self, redis_url: str | None, deadline_s: float):
        """`redis_url` None: nobody is woken, because nobody can send mail."""
        self._deadline_s = deadline_s
        self._redis = None
        if redis_url is not None:
            retry = Retry(NoBackoff(), 0)
            self._redis = Redis.from_url(
                redis_url, socket_timeout=deadline_s, socket_connect_timeout=deadline_s, retry=retry
            )
        self._sending: dict[Topic, asyncio.Task[None]] = {}

    def wake(self, topic: Topic) -> None:
        """Call it after the commit. Returns at once; the message is sent in the background, within the deadline."""
        if self._redis is not None and topic not in self._sending:
            sending = asyncio.get_running_loop().create_task(self._send(self._redis, topic))
            self._sending[topic] = sending
            sending.add_done_callback(lambda _sent: self._sending.pop(topic, None))

    async def _send(self, redis: Redis, topic: Topic) -> None:
        task = RUNNER_OF[topic]
        message = encode_message(task, {}, str(uuid4()), "", datetime.now(UTC) + EXPIRES)
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(self._deadline_s):
                await redis.lpush(QUEUE_OF[task], message)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        await asyncio.gather(*self._sending.values())
        if self._redis is not None:
            await self._redis.aclose()


OUTBOX_WAKER = web.AppKey[OutboxWaker | InlineOutbox]("outbox_waker")

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

from contracts.tasks import RUNNER_OF, Topic
from host.messaging.inline_learning import InlineLearning
from host.messaging.inline_outbox import InlineOutbox
from host.messaging.inline_payments import InlinePayments
from host.messaging.reply_channel import encode_message

# By then beat has sent the same task.
EXPIRES = timedelta(seconds=2)
# A message costs several times what storing an event does: those who wake a topic meanwhile share the next one.
EVERY_S = 0.05


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
        self._due: set[Topic] = set()

    def wake(self, topic: Topic) -> None:
        """Call it after the commit. Returns at once; the message is sent in the background, within the deadline."""
        if self._redis is None:
            return
        self._due.add(topic)
        if topic not in self._sending:
            self._sending[topic] = asyncio.get_running_loop().create_task(self._send_due(self._redis, topic))

    async def _send_due(self, redis: Redis, topic: Topic) -> None:
        """A wake that comes while a message is sent leads to one more: the worker may have looked before its commit."""
        try:
            while topic in self._due:
                self._due.remove(topic)
                await self._send(redis, topic)
                await asyncio.sleep(EVERY_S)
        finally:
            del self._sending[topic]

    async def _send(self, redis: Redis, topic: Topic) -> None:
        task = RUNNER_OF[topic]
        message = encode_message(task, {}, str(uuid4()), "", datetime.now(UTC) + EXPIRES)
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(self._deadline_s):
                await redis.lpush(task.queue, message)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        await asyncio.gather(*self._sending.values())
        if self._redis is not None:
            await self._redis.aclose()


class InlineWaker:
    """In a host without a broker: wakes the loop of the topic, if this host has one."""

    def __init__(self, mail: InlineOutbox | None, payments: InlinePayments | None, learning: InlineLearning | None):
        self.mail, self.payments, self.learning = mail, payments, learning

    def wake(self, topic: Topic) -> None:
        """Call it after the commit."""
        if topic is Topic.MAIL and self.mail is not None:
            self.mail.wake(topic)
        if topic is Topic.PAYMENTS and self.payments is not None:
            self.payments.wake()
        if topic is Topic.LEARNING and self.learning is not None:
            self.learning.wake()


OUTBOX_WAKER = web.AppKey[OutboxWaker | InlineWaker]("outbox_waker")

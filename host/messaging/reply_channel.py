"""Questions to workers through Redis, and their answers on the one channel that this host listens to.

docs/wire.md, "questions". The message is written as Celery would write it: its own producer blocks, costs more than the
whole way there and back, and opens a subscription of its own for every answer it is to wait for.
"""

import asyncio
import base64
import contextlib
import logging
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import orjson
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

log = logging.getLogger("coursefront.replies")

QUEUE = "coupons"
PING = "coupons.ping"
CHANNEL = "coursefront:replies:"
# A question that a worker finds later than this is not answered any more: somebody answered it in place.
EXPIRES = timedelta(seconds=5)
SUBSCRIBE_EVERY_S = 0.2

Answer = dict[str, Any]


class NotAnswered(Exception):
    """No worker answered in time, or could."""


class Replies:
    """`ask` raises NotAnswered within `deadline_s`, whatever the broker does."""

    def __init__(self, redis_url: str, deadline_s: float, send_deadline_s: float):
        self._deadline_s, self._send_deadline_s = deadline_s, min(send_deadline_s, deadline_s)
        options: dict[str, Any] = {"socket_connect_timeout": self._send_deadline_s, "retry": Retry(NoBackoff(), 0)}
        self._redis = Redis.from_url(redis_url, socket_timeout=self._send_deadline_s, **options)
        # Whoever listens waits for as long as nobody says anything.
        self._ear = Redis.from_url(redis_url, socket_timeout=None, **options)
        self._channel = f"{CHANNEL}{uuid4().hex}"
        self._waiting: dict[str, asyncio.Future[Answer]] = {}
        self._listening: asyncio.Task[None] | None = None
        self._leftovers: set[asyncio.Task[None]] = set()
        self._is_subscribed = False

    def open(self) -> None:
        self._listening = asyncio.get_running_loop().create_task(self._listen_for_ever())

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        self.give_up("the host stops")
        await self._redis.aclose()
        await self._ear.aclose()

    async def ask(self, name: str, given: dict[str, Any]) -> Answer:
        if not self._is_subscribed:
            raise NotAnswered("the reply channel is not open")
        one = str(uuid4())
        message = message_of(name, given, one, self._channel, datetime.now(UTC) + EXPIRES)
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[one] = waiting
        try:
            async with asyncio.timeout(self._deadline_s):
                await self._send(message)
                return await waiting
        except TimeoutError:
            self._take_back(message)
            raise NotAnswered(f"no worker answered within {self._deadline_s:g} s") from None
        except asyncio.CancelledError:
            self._take_back(message)
            raise
        finally:
            del self._waiting[one]

    async def _send(self, message: bytes) -> None:
        try:
            async with asyncio.timeout(self._send_deadline_s):
                await self._redis.lpush(QUEUE, message)
        except (RedisError, OSError, TimeoutError) as error:
            raise NotAnswered(f"Redis did not take the question: {str(error) or 'it is slow'}") from None

    def _take_back(self, message: bytes) -> None:
        """Nobody waits any more: a worker that comes up later must not find it."""
        task = asyncio.get_running_loop().create_task(self._taken_back(message))
        self._leftovers.add(task)
        task.add_done_callback(self._leftovers.discard)

    async def _taken_back(self, message: bytes) -> None:
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(self._send_deadline_s):
                await self._redis.lrem(QUEUE, 1, message)  # type: ignore[arg-type]

    def give_up(self, why: str) -> None:
        """Whoever still waits is told now: the others' deadline has shown that nobody answers."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(NotAnswered(why))

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                async with self._ear.pubsub() as channel:
                    await channel.subscribe(self._channel)
                    await self._listen(channel)
            except (RedisError, OSError) as error:
                log.info("the reply channel is closed: %s", error)
            finally:
                self._is_subscribed = False
            self.give_up("the reply channel is closed")
            await asyncio.sleep(SUBSCRIBE_EVERY_S)

    async def _listen(self, channel: PubSub) -> None:
        async for said in channel.listen():
            if said["type"] == "subscribe":
                self._is_subscribed = True
            elif said["type"] == "message":
                self._heard(said["data"])

    def _heard(self, data: bytes) -> None:
        try:
            reply = orjson.loads(data)
            waiting, answer = self._waiting.get(reply["id"]), reply.get("answer")
        except (ValueError, LookupError, TypeError, AttributeError):
            log.warning("something on the reply channel is no reply")
            return
        if waiting is None or waiting.done():
            return
        if isinstance(answer, dict):
            waiting.set_result(answer)
        else:
            waiting.set_exception(NotAnswered(f"the worker failed: {reply.get('error')}"))


def message_of(name: str, given: dict[str, Any], one: str, channel: str, expires: datetime) -> bytes:
    """Celery's message protocol 2 in kombu's envelope for Redis. Codes stand in the body alone: the rest is logged."""
    body = base64.b64encode(orjson.dumps([[], given, {}])).decode()
    headers = {
        "lang": "py",
        "task": name,
        "id": one,
        "root_id": one,
        "parent_id": None,
        "group": None,
        "retries": 0,
        "timelimit": [None, None],
        "expires": expires.isoformat(),
        "ignore_result": True,
        "argsrepr": "()",
        "kwargsrepr": "{}",
        "origin": "coursefront",
    }
    properties = {
        "correlation_id": one,
        "reply_to": channel,
        "delivery_mode": 2,
        "delivery_info": {"exchange": "", "routing_key": QUEUE},
        "priority": 0,
        "body_encoding": "base64",
        "delivery_tag": one,
    }
    return orjson.dumps(
        {
            "body": body,
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": headers,
            "properties": properties,
        }
    )

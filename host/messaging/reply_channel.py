"""RPC calls to workers through Redis, and their replies on one channel per host process (docs/contracts.md, "rpc").

Messages are encoded here, in Celery's format: Celery's producer blocks, takes longer than the round trip itself and
opens a subscription for each reply.
"""

import asyncio
import base64
import contextlib
import logging
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import orjson
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from adapters import telemetry
from adapters.telemetry import TRACEPARENT
from config.logs import REQUEST_IDS
from contracts.payloads import CANNOT_READ, NewerPayload, RpcReply, deadline_before, decode
from contracts.redis_keys import RPC_CHANNEL
from contracts.tasks import SENT_AT, Queue, Task
from host.resilience.background_loop import BackgroundLoop

log = logging.getLogger("coursefront.rpc")

SUBSCRIBE_EVERY_S = 0.2

Answer = dict[str, Any]


class RpcFailed(Exception):
    """No worker has committed anything for the call or will, if it can still be run at all."""


class NoReply(RpcFailed):
    """Nothing is known of the call: until its deadline a worker may still run it and commit."""


class CallNotReadable(RpcFailed):
    """Worker and host are of different builds, and one of them cannot read the other's payload."""


class ReplyChannel:
    """Sends calls and matches the replies by call id."""

    def __init__(self, redis_url: str, deadline_s: float, send_deadline_s: float, what: str = "replies of workers"):
        """`what`: the name of its loop."""
        self.deadline_s, self._send_deadline_s = deadline_s, min(send_deadline_s, deadline_s)
        options: dict[str, Any] = {"socket_connect_timeout": self._send_deadline_s, "retry": Retry(NoBackoff(), 0)}
        self._redis = Redis.from_url(redis_url, socket_timeout=self._send_deadline_s, **options)
        # No read timeout: a subscriber blocks until a message arrives.
        self._subscriber = Redis.from_url(redis_url, socket_timeout=None, **options)
        self._channel = f"{RPC_CHANNEL}{uuid4().hex}"
        self._pending: dict[str, asyncio.Future[Answer]] = {}
        self.loop = BackgroundLoop(what, self._listen_until_closed)
        self._withdrawals: set[asyncio.Task[None]] = set()
        self._is_subscribed = False

    def open(self) -> None:
        self.loop.start()

    async def close(self) -> None:
        await self.loop.stop()
        self.fail_pending("the host stops")
        await self._redis.aclose()
        await self._subscriber.aclose()

    async def call(self, task: Task, payload: dict[str, Any]) -> Answer:
        """The worker's reply. Raises RpcFailed, at the latest after `deadline_s`; a worker commits nothing from then
        on, as the message carries the deadline."""
        if not self._is_subscribed:
            raise RpcFailed("the reply channel is not open")
        call_id, queue = str(uuid4()), task.queue
        gives_up_at = datetime.now(UTC) + timedelta(seconds=self.deadline_s)
        arguments = {**payload, "deadline": deadline_before(gives_up_at)}
        message = encode_message(task, arguments, call_id, self._channel, gives_up_at)
        reply: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[call_id] = reply
        try:
            async with asyncio.timeout(self.deadline_s):
                await self._send(queue, message)
                return await reply
        except TimeoutError:
            self._withdraw(queue, message)
            raise NoReply(f"no worker replied within {self.deadline_s:g} s") from None
        except asyncio.CancelledError:
            self._withdraw(queue, message)
            raise
        finally:
            del self._pending[call_id]

    async def _send(self, queue: Queue, message: bytes) -> None:
        try:
            async with asyncio.timeout(self._send_deadline_s):
                await self._redis.lpush(queue, message)
        except (RedisError, OSError, TimeoutError) as error:
            raise NoReply(f"Redis did not take the call: {str(error) or 'it is slow'}") from None

    def _withdraw(self, queue: Queue, message: bytes) -> None:
        """Remove the message in the background, so that a worker that starts later does not find it."""
        task = asyncio.get_running_loop().create_task(self._remove(queue, message))
        self._withdrawals.add(task)
        task.add_done_callback(self._withdrawals.discard)

    async def _remove(self, queue: Queue, message: bytes) -> None:
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(self._send_deadline_s):
                await self._redis.lrem(queue, 1, message)  # type: ignore[arg-type] # redis-py takes bytes too

    def fail_pending(self, reason: str) -> None:
        """Fail all pending calls at once, when it is known that no worker replies."""
        for reply in self._pending.values():
            if not reply.done():
                reply.set_exception(NoReply(reason))

    async def _listen_until_closed(self) -> None:
        try:
            async with self._subscriber.pubsub() as channel:
                await channel.subscribe(self._channel)
                await self._listen(channel)
        except (RedisError, OSError) as error:
            log.info("the reply channel is closed: %s", error)
        finally:
            self._is_subscribed = False
            self.fail_pending("the reply channel is closed")
        await asyncio.sleep(SUBSCRIBE_EVERY_S)

    async def _listen(self, channel: PubSub) -> None:
        async for event in channel.listen():
            if event["type"] == "subscribe":
                self._is_subscribed = True
                self.loop.mark_running()
            elif event["type"] == "message":
                self._on_message(event["data"])

    def _on_message(self, data: bytes) -> None:
        try:
            message = orjson.loads(data)
            pending = self._pending.get(message["id"])
            outcome = _outcome(message)
        except (ValueError, LookupError, TypeError):
            log.warning("ignoring a malformed RPC reply")
            return
        if pending is None or pending.done():
            return
        if isinstance(outcome, RpcFailed):
            pending.set_exception(outcome)
        else:
            pending.set_result(outcome)


def _outcome(message: object) -> Answer | RpcFailed:
    """The result or the error of a reply. Raises MalformedPayload."""
    try:
        reply = decode(RpcReply, message)
    except NewerPayload as error:
        return CallNotReadable(str(error))
    if isinstance(reply.answer, dict):
        return reply.answer
    if reply.error == CANNOT_READ:
        return CallNotReadable("the worker is of an older build")
    return RpcFailed(f"the worker failed: {reply.error}")


def encode_message(task: Task, payload: dict[str, Any], call_id: str, channel: str, expires: datetime | None) -> bytes:
    """A message in Celery's protocol 2 and kombu's envelope for Redis. Only the body, which Celery does not log, has
    coupon codes."""
    ids = REQUEST_IDS.get()
    body = base64.b64encode(orjson.dumps([[], payload, {}])).decode()
    headers = {
        "lang": "py",
        "task": str(task),
        "id": call_id,
        "root_id": call_id,
        "parent_id": None,
        "group": None,
        "retries": 0,
        "timelimit": [None, None],
        "expires": None if expires is None else expires.isoformat(),
        "ignore_result": True,
        "argsrepr": "()",
        "kwargsrepr": "{}",
        "origin": "coursefront",
        # The worker logs its lines under them.
        "request_id": ids.request_id,
        "trace_id": ids.trace_id,
        SENT_AT: time.time(),
        TRACEPARENT: telemetry.traceparent(),
    }
    properties = {
        "correlation_id": call_id,
        "reply_to": channel,
        "delivery_mode": 2,
        "delivery_info": {"exchange": "", "routing_key": str(task.queue)},
        "priority": 0,
        "body_encoding": "base64",
        "delivery_tag": call_id,
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

"""Calls functions in a worker while a visitor waits; without a worker the same function runs inline.

reply = await rpc_client.call(DescribeCode(code="SPRING", at="…"))
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

from adapters import telemetry
from contracts.payloads import CLOCK_SKEW_S, Pong, RpcCall, decode, encode
from contracts.tasks import Task
from domain.cart.coupon_checks import HANDLERS, READ_ONLY
from domain.database.database import Database
from domain.shop_settings.shop import ShopSettings
from host.messaging.reply_channel import CallNotReadable, NoReply, ReplyChannel, RpcFailed
from host.resilience.circuit_breaker import CircuitBreaker

log = logging.getLogger("coursefront.rpc")

Answer = dict[str, Any]


class RpcClient:
    """Calls workers behind a circuit breaker.

    The first call without a reply opens the circuit: calls then run inline at once, until a worker replies to a ping.
    The pings run in the background, also after the start, so no visitor waits for them.
    """

    def __init__(self, db: Database, replies: ReplyChannel | None, shop: ShopSettings):
        self._db, self._replies, self._shop = db, replies, shop
        self._breaker = CircuitBreaker("the coupon worker", self._ping)
        self.by_worker = self.inline = 0

    async def call(self, call: RpcCall) -> Answer:
        """The function's result. Raises ServiceUnavailable when it runs inline without the database."""
        if self._replies is not None and not self._breaker.is_open:
            began_at = time.monotonic()
            try:
                with telemetry.span(f"call {call.task}", "producer"):
                    reply = await self._replies.call(call.task, encode(call))
            except CallNotReadable as error:
                log.info("%s runs inline: %s", call.task, error)
            except RpcFailed as error:
                self._breaker.trip(error)
                self._replies.fail_pending("another call had no reply")
                if isinstance(error, NoReply) and call.task not in READ_ONLY:
                    # Before its deadline a worker may commit the call, and would overwrite what was chosen meanwhile.
                    await asyncio.sleep(began_at + self._replies.deadline_s - time.monotonic())
            else:
                self.by_worker += 1
                return reply
        self.inline += 1
        run = self._db.read if call.task in READ_ONLY else self._db.write
        return await run(HANDLERS[call.task], call, self._shop)

    async def _ping(self) -> None:
        """Raises RpcFailed without a worker, or for one whose clock would let it commit calls too late."""
        if self._replies is not None:
            sent_at = datetime.now(UTC)
            pong = decode(Pong, await self._replies.call(Task.PING, {}))
            _check_clock(pong, sent_at, datetime.now(UTC))

    @property
    def state(self) -> str:
        """For /readyz: "none" without a broker, "starting" until a worker has answered, "up", or "broken off" while the
        circuit is open."""
        if self._replies is None:
            return "none"
        if self._breaker.is_starting:
            return "starting"
        return "broken off" if self._breaker.is_open else "up"

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        if self._replies is not None:
            self._replies.open()
            self._breaker.watch()
        yield
        await self._breaker.close()
        if self._replies is not None:
            await self._replies.close()


def _check_clock(pong: Pong, sent_at: datetime, received_at: datetime) -> None:
    skew = timedelta(seconds=CLOCK_SKEW_S)
    if pong.at and not sent_at - skew <= datetime.fromisoformat(pong.at) <= received_at + skew:
        text = f"the clock of a worker shows {pong.at} at {received_at.isoformat()}: synchronise the clocks"
        log.warning("coupon codes are checked by the host: %s", text)
        raise RpcFailed(text)


RPC_CLIENT = web.AppKey("rpc_client", RpcClient)

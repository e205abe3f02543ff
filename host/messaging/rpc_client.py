"""Calls functions in a worker while a visitor waits; without a worker the same function runs inline.

reply = await rpc_client.call(DescribeCode(code="SPRING", at="…"))
"""

import asyncio
import logging
import time
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
from host.messaging.worker_calls import WorkerCalls

log = logging.getLogger("coursefront.rpc")

Answer = dict[str, Any]


class RpcClient(WorkerCalls):
    """Calls workers behind a circuit breaker.

    The first call without a reply opens the circuit: calls then run inline at once, until a worker replies to a ping.
    The pings run in the background, also after the start, so no visitor waits for them.
    """

    def __init__(self, db: Database, replies: ReplyChannel | None, shop: ShopSettings):
        super().__init__(replies, "the coupon worker")
        self._db, self._shop = db, shop

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


def _check_clock(pong: Pong, sent_at: datetime, received_at: datetime) -> None:
    skew = timedelta(seconds=CLOCK_SKEW_S)
    if pong.at and not sent_at - skew <= datetime.fromisoformat(pong.at) <= received_at + skew:
        text = f"the clock of a worker shows {pong.at} at {received_at.isoformat()}: synchronise the clocks"
        log.warning("coupon codes are checked by the host: %s", text)
        raise RpcFailed(text)


RPC_CLIENT = web.AppKey("rpc_client", RpcClient)

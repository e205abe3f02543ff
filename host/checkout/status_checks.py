"""The state of an order for somebody who waits for a payment: the gateway is asked too, so that an order is settled
also when its event was lost."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from aiohttp import web

from adapters.payments import settling
from contracts.tasks import Topic
from domain.errors import ServiceUnavailable
from domain.payments import checks
from domain.payments.attempts import PaymentRef
from domain.payments.gateway import GatewayError
from host.app_keys import DATABASE
from host.checkout.paying import paying_shop
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.messaging.payment_gateway import HOST_GATEWAY

log = logging.getLogger("coursefront.payments")


class StatusChecks:
    """Calls of the gateway that go on after whoever waited for them, for `wait_s`."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._running: set[asyncio.Task[None]] = set()

    async def check(self, app: web.Application, learner_id: int, code: str) -> None:
        """Settle the order by what the gateway has, at most every three seconds in all processes together. Returns
        after `wait_s` at the latest; a gateway or a database that does not answer changes nothing."""
        ref = await app[DATABASE].read(checks.due, learner_id, code, datetime.now(UTC))
        if ref is None or not app[HOST_GATEWAY].is_available:
            return
        running = asyncio.create_task(_retrieve(app, ref))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        await asyncio.wait({running}, timeout=self._wait_s)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        for running in self._running:
            running.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


STATUS_CHECKS = web.AppKey("status_checks", StatusChecks)


async def _retrieve(app: web.Application, ref: PaymentRef) -> None:
    db = app[DATABASE]
    try:
        if not await db.write(checks.lease, ref, datetime.now(UTC)):
            return
        shop = await paying_shop(app)
        outcome = await app[HOST_GATEWAY].call(
            lambda gateway: settling.retrieve(db, gateway, ref, shop), f"payment {ref.id}"
        )
    except (GatewayError, ServiceUnavailable) as error:
        log.info("payment %d is looked at later: %s", ref.id, error)
        return
    if outcome not in (None, "unchanged", "ignored"):
        for topic in (Topic.MAIL, Topic.PAYMENTS):
            app[OUTBOX_WAKER].wake(topic)

"""Events of the payment gateway on their way into the database: those that come while a transaction runs, or shortly
before one, share it. Where many come at once, the transaction costs several times what an event in it costs."""

import asyncio
from datetime import UTC, datetime

from aiohttp import web

from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.payments import gateway_events
from domain.payments.gateway import Event

# A transaction with as many events takes some milliseconds.
MAX_BATCH = 100
# Who sent several at once sends the next ones as soon as these are answered: without this wait, the first of them would
# get a transaction of its own. Nobody but the gateway waits for it.
GATHER_S = 0.002
Waiting = tuple[Event, asyncio.Future[None]]


class GatewayEventQueue:
    """Stores the events of one gateway, a transaction at a time."""

    def __init__(self, database: Database, gateway: str):
        self._database, self._gateway = database, gateway
        self._waiting: list[Waiting] = []
        self._storing: asyncio.Task[None] | None = None

    async def store(self, event: Event) -> None:
        """Returns after the commit, also when the event was known. Raises ServiceUnavailable when the database does not
        finish within its deadline, which for an event that waits begins with the next transaction."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, stored))
        if self._storing is None:
            self._storing = asyncio.create_task(self._store_waiting())
        await stored

    async def _store_waiting(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHER_S)
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            error = await self._store_together(batch)
            if error is None or isinstance(error, ServiceUnavailable) or len(batch) == 1:
                _finish_all(batch, error)
            else:
                await self._store_one_by_one(batch)
        self._storing = None

    async def _store_together(self, batch: list[Waiting]) -> Exception | None:
        events = [event for event, _stored in batch]
        try:
            await self._database.write(gateway_events.store_all, self._gateway, events, datetime.now(UTC))
        except Exception as error:
            return error
        return None

    async def _store_one_by_one(self, batch: list[Waiting]) -> None:
        """When the database refuses them together: one that cannot be stored, which its gateway sends again and again,
        must not refuse those that come with it. Each caller has its answer at once. When the database goes away, the
        others are not tried: each would wait for its whole deadline."""
        for index, item in enumerate(batch):
            error = await self._store_together([item])
            if isinstance(error, ServiceUnavailable):
                _finish_all(batch[index:], error)
                return
            _finish_all([item], error)


def _finish_all(batch: list[Waiting], error: Exception | None) -> None:
    for _event, stored in batch:
        _finish(stored, error)


def _finish(stored: asyncio.Future[None], error: Exception | None) -> None:
    # The caller of a cancelled one has gone.
    if stored.cancelled():
        return
    if error is None:
        stored.set_result(None)
    else:
        stored.set_exception(error)


GATEWAY_EVENT_QUEUE = web.AppKey("gateway_event_queue", GatewayEventQueue)

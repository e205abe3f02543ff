"""Events of the payment gateway on their way into the database: those that come while a transaction runs share the
next one. Where many come at once, the transaction costs several times what an event in it costs."""

import asyncio
from datetime import UTC, datetime

from aiohttp import web

from domain.database.database import Database
from domain.payments import gateway_events
from domain.payments.gateway import Event

# A transaction with as many events takes some milliseconds.
MAX_BATCH = 100


class GatewayEventQueue:
    """Stores the events of one gateway, a transaction at a time."""

    def __init__(self, database: Database, gateway: str):
        self._database, self._gateway = database, gateway
        self._waiting: list[tuple[Event, asyncio.Future[None]]] = []
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
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            events, callers = [event for event, _stored in batch], [stored for _event, stored in batch]
            error: Exception | None = None
            try:
                await self._database.write(gateway_events.store_all, self._gateway, events, datetime.now(UTC))
            except Exception as failure:
                error = failure
            for stored in callers:
                _finish(stored, error)
        self._storing = None


def _finish(stored: asyncio.Future[None], error: Exception | None) -> None:
    # The caller of a cancelled one has gone.
    if stored.cancelled():
        return
    if error is None:
        stored.set_result(None)
    else:
        stored.set_exception(error)


GATEWAY_EVENT_QUEUE = web.AppKey("gateway_event_queue", GatewayEventQueue)

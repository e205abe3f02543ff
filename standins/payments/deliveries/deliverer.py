"""What the gateway does by itself: changes whose time has come, and deliveries to the webhook."""

import asyncio
import logging

import aiohttp

from standins.payments import due
from standins.payments.deliveries import queue, sender
from standins.payments.deliveries.queue import Parcel
from standins.payments.gateway_thread import GatewayThread
from standins.payments.work import Work

# After an error of its own it goes on after this time.
RETRY_S = 1.0
MAX_WAIT_S = 60.0
MAX_UNDER_WAY = 16
_log = logging.getLogger("standins.payments")


class Deliverer:
    """Runs from `start` to `stop`. Deliveries are sent side by side; after a restart those that were under way are sent
    again."""

    def __init__(self, thread: GatewayThread):
        self._thread = thread
        self._changed = asyncio.Event()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        tasks = [task for task in (self._task, *self._under_way.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def wake(self) -> None:
        """Something may be due."""
        self._changed.set()

    async def _run(self) -> None:
        async with aiohttp.ClientSession() as client:
            while True:
                self._changed.clear()
                try:
                    wait_s = await self._send_due(client)
                except Exception:
                    _log.exception("Deliveries stop for %g s", RETRY_S)
                    wait_s = RETRY_S
                await self._pause(wait_s)

    async def _pause(self, wait_s: float) -> None:
        try:
            async with asyncio.timeout(wait_s):
                await self._changed.wait()
        except TimeoutError:
            return

    async def _send_due(self, client: aiohttp.ClientSession) -> float:
        """Starts what is due. Returns the seconds until something else is."""
        under_way = set(self._under_way)

        def take(work: Work) -> tuple[list[Parcel], float | None]:
            parcels = queue.due_parcels(work, under_way, MAX_UNDER_WAY - len(under_way))
            started = under_way | {parcel.number for parcel in parcels}
            times = [at for at in (due.next_due_at(work), queue.next_at(work, started)) if at is not None]
            return parcels, min(times) - work.now if times else None

        parcels, wait_s = await self._thread.run_alone(take)
        for parcel in parcels:
            self._under_way[parcel.number] = asyncio.create_task(self._send(client, parcel))
        # The end of a delivery wakes this loop.
        is_full = len(self._under_way) >= MAX_UNDER_WAY
        return MAX_WAIT_S if is_full or wait_s is None else min(max(wait_s, 0.001), MAX_WAIT_S)

    async def _send(self, client: aiohttp.ClientSession, parcel: Parcel) -> None:
        config = self._thread.gateway.config
        try:
            result = await sender.deliver(client, config.webhook, parcel.body, config.secrets)
            await self._thread.run_alone(lambda work: queue.record_attempt(work, parcel.number, result))
        finally:
            del self._under_way[parcel.number]
            self.wake()

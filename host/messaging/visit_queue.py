"""The queue of visits for workers. `enqueue` returns when a visit is stored: in Redis, or synced to the spool."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiohttp import web

from domain.errors import ServiceUnavailable
from host.messaging.spool import Spool, SpoolFull
from host.resilience.background_loop import BackgroundLoop

log = logging.getLogger("coursefront.visit_queue")

Rows = list[dict[str, Any]]
Send = Callable[[Rows], Awaitable[None]]
# After a failure the circuit stays open for this long: batches go to the spool.
RETRY_AFTER_S = 1.0
DRAIN_EVERY_S = 0.5


class PublishFailed(Exception):
    """The broker did not take a batch, or did not confirm it in time."""


class Batch:
    """Visits sent as one message. `done` gets a result when all of them are stored, an exception when none is."""

    __slots__ = ("done", "rows")

    def __init__(self) -> None:
        self.rows: Rows = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class VisitQueue:
    """Collects visits for `batch_s` seconds or until there are `batch_rows`, then sends them as one message.

    `send` must raise PublishFailed within its own deadline; the batch then goes to the spool, which is drained in the
    background. A batch is delivered at least once; workers recognise rows by their event id.
    """

    def __init__(self, send: Send, spool: Spool, batch_rows: int, batch_s: float, max_waiting: int):
        self._send, self._spool = send, spool
        self._batch_rows, self._batch_s, self._max_waiting = batch_rows, batch_s, max_waiting
        self._batch: Batch | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._flushes: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._circuit_open_until = 0.0
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="spool")
        self.accepted = self.spooled = self.refused = 0
        self.loop = BackgroundLoop("spool", self._drain_after_pause)

    async def enqueue(self, row: dict[str, Any]) -> None:
        """Return when the row is stored. Raises ServiceUnavailable when it cannot be; the browser sends it again."""
        if self._waiting >= self._max_waiting:
            self.refused += 1
            raise ServiceUnavailable("Too many visits at once. Please try again in a moment.")
        self._waiting += 1
        try:
            await asyncio.shield(self._add(row).done)
        except SpoolFull as error:
            self.refused += 1
            raise ServiceUnavailable("Visits cannot be stored at the moment. Please try again in a moment.") from error
        finally:
            self._waiting -= 1
        self.accepted += 1

    def enqueue_nowait(self, row: dict[str, Any]) -> None:
        """Enqueue without waiting, for visits that no browser sends again; a lost one is logged and counted."""
        if self._waiting >= self._max_waiting:
            self.refused += 1
            return
        task = asyncio.get_running_loop().create_task(self._enqueue_logged(row))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _enqueue_logged(self, row: dict[str, Any]) -> None:
        try:
            await self.enqueue(row)
        except ServiceUnavailable as error:
            log.warning("a visit was not stored: %s", error)

    def _add(self, row: dict[str, Any]) -> Batch:
        batch = self._batch
        if batch is None:
            batch = self._batch = Batch()
            self._timer = asyncio.get_running_loop().call_later(self._batch_s, self._flush)
        batch.rows.append(row)
        if len(batch.rows) >= self._batch_rows:
            self._flush()
        return batch

    def _flush(self) -> None:
        batch, self._batch = self._batch, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if batch is None:
            return
        task = asyncio.get_running_loop().create_task(self._send_or_spool(batch))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _send_or_spool(self, batch: Batch) -> None:
        try:
            if time.monotonic() < self._circuit_open_until:
                raise PublishFailed("the broker failed a moment ago")
            await self._send(batch.rows)
        except PublishFailed as error:
            self._open_circuit(error)
            await self._spool_batch(batch)
        except Exception:
            # A bug must not lose visits or leave browsers waiting.
            log.exception("visits could not be sent; they go to the spool")
            await self._spool_batch(batch)
        else:
            batch.done.set_result(None)

    def _open_circuit(self, error: PublishFailed) -> None:
        if time.monotonic() >= self._circuit_open_until:
            log.warning("visits go to the spool: %s", error)
        self._circuit_open_until = max(self._circuit_open_until, time.monotonic() + RETRY_AFTER_S)

    async def _spool_batch(self, batch: Batch) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._disk, self._spool.write, batch.rows)
        except SpoolFull as error:
            log.error("%d visits refused: %s", len(batch.rows), error)
            batch.done.set_exception(error)
            # Retrieved here, because asyncio reports it as never retrieved when no caller waits any more.
            batch.done.exception()
            return
        self.spooled += len(batch.rows)
        batch.done.set_result(None)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()
        self._flush()
        if self._flushes:
            await asyncio.wait(self._flushes, timeout=2.0)
        self._disk.shutdown(wait=True)

    async def _drain_after_pause(self) -> None:
        await asyncio.sleep(DRAIN_EVERY_S)
        await self._drain()

    async def _drain(self) -> None:
        """Send the spooled batches, oldest first, until sending fails."""
        loop = asyncio.get_running_loop()
        for path in await loop.run_in_executor(self._disk, self._spool.pending):
            if time.monotonic() < self._circuit_open_until:
                return
            rows = await loop.run_in_executor(self._disk, self._spool.read, path)
            if rows is None:
                continue
            try:
                if rows:
                    await self._send(rows)
            except PublishFailed as error:
                self._open_circuit(error)
                return
            await loop.run_in_executor(self._disk, self._spool.remove, path)

    @property
    def is_circuit_open(self) -> bool:
        return time.monotonic() < self._circuit_open_until

    def spooled_batches(self) -> int:
        return len(self._spool.pending())


VISIT_QUEUE = web.AppKey("visit_queue", VisitQueue)

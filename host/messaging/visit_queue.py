"""The one door to the workers. `tell` returns when a visit is safe: in Redis, or in the synced spool beside it."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from domain.errors import Unavailable
from host.spool import Spool, SpoolFull

log = logging.getLogger("coursefront.dispatch")

Rows = list[dict[str, Any]]
Send = Callable[[Rows], Awaitable[None]]
# A broker that failed is left alone this long before the next try.
BREAK_S = 1.0
DRAIN_EVERY_S = 0.5


class NotSent(Exception):
    """A batch was not taken, or not surely."""


class Batch:
    """Visits on their way together; all of them are safe, or none, when `done` is set."""

    __slots__ = ("done", "rows")

    def __init__(self) -> None:
        self.rows: Rows = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Dispatch:
    """Gathers visits for `batch_s` or until `batch_rows` are there, then sends them as one message.

    `send` must raise NotSent within its own deadline. With the broker away or slow the batch goes to the spool, which
    drains by itself. A batch may arrive twice, never not at all: rows carry their event id.
    """

    def __init__(self, send: Send, spool: Spool, batch_rows: int, batch_s: float, most_waiting: int):
        self._send, self._spool = send, spool
        self._batch_rows, self._batch_s, self._most = batch_rows, batch_s, most_waiting
        self._batch: Batch | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._flushes: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._broken_until = 0.0
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="spool")
        self.accepted = self.spooled = self.refused = 0

    async def tell(self, row: dict[str, Any]) -> None:
        """Returns when the row is safe. Raises Unavailable when it cannot be made safe: the browser keeps it."""
        if self._waiting >= self._most:
            self.refused += 1
            raise Unavailable("Too many visits at once. Please try again in a moment.")
        self._waiting += 1
        try:
            await asyncio.shield(self._joined(row).done)
        except SpoolFull as error:
            self.refused += 1
            raise Unavailable("Visits cannot be kept just now. Please try again in a moment.") from error
        finally:
            self._waiting -= 1
        self.accepted += 1

    def tell_later(self, row: dict[str, Any]) -> None:
        """The same without waiting, for what nobody sends again; counted when it is lost."""
        if self._waiting >= self._most:
            self.refused += 1
            return
        task = asyncio.get_running_loop().create_task(self._quietly(row))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _quietly(self, row: dict[str, Any]) -> None:
        try:
            await self.tell(row)
        except Unavailable as error:
            log.warning("a crawler's visit was not kept: %s", error)

    def _joined(self, row: dict[str, Any]) -> Batch:
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
        task = asyncio.get_running_loop().create_task(self._make_safe(batch))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _make_safe(self, batch: Batch) -> None:
        try:
            if time.monotonic() < self._broken_until:
                raise NotSent("the broker failed a moment ago")
            await self._send(batch.rows)
        except NotSent as error:
            self._break(error)
            await self._spool_batch(batch)
        except Exception:
            # A mistake of ours: somebody waits for this batch, and on disk it is as safe as in Redis.
            log.exception("visits could not be sent; they go to the spool")
            await self._spool_batch(batch)
        else:
            batch.done.set_result(None)

    def _break(self, error: NotSent) -> None:
        if time.monotonic() >= self._broken_until:
            log.warning("visits go to the spool: %s", error)
        self._broken_until = max(self._broken_until, time.monotonic() + BREAK_S)

    async def _spool_batch(self, batch: Batch) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._disk, self._spool.put, batch.rows)
        except SpoolFull as error:
            log.error("%d visits refused: %s", len(batch.rows), error)
            batch.done.set_exception(error)
            # Nobody may be waiting any more; the exception is then read here, so that it is not reported as lost.
            batch.done.exception()
            return
        self.spooled += len(batch.rows)
        batch.done.set_result(None)

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        drain = asyncio.create_task(self._drain_for_ever())
        yield
        drain.cancel()
        self._flush()
        if self._flushes:
            await asyncio.wait(self._flushes, timeout=2.0)
        self._disk.shutdown(wait=True)

    async def _drain_for_ever(self) -> None:
        while True:
            await asyncio.sleep(DRAIN_EVERY_S)
            try:
                await self._drain()
            except Exception:
                log.exception("the spool could not be drained; it is tried again")

    async def _drain(self) -> None:
        """Send what waits on disk, oldest first, until the broker says no."""
        loop = asyncio.get_running_loop()
        for path in await loop.run_in_executor(self._disk, self._spool.waiting):
            if time.monotonic() < self._broken_until:
                return
            rows = await loop.run_in_executor(self._disk, self._spool.read, path)
            try:
                if rows:
                    await self._send(rows)
            except NotSent as error:
                self._break(error)
                return
            await loop.run_in_executor(self._disk, self._spool.done, path)

    @property
    def is_broken(self) -> bool:
        return time.monotonic() < self._broken_until

    def waiting_on_disk(self) -> int:
        return len(self._spool.waiting())

"""The queue of visits for workers. `enqueue` returns when a visit is stored: in Redis, or synced to the spool."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import orjson
from aiohttp import web

from contracts.payloads import VisitBatch, encode
from domain.errors import ServiceUnavailable
from domain.visits.batches import COLUMNS
from host.messaging.spool import Spool, SpoolFull
from host.resilience.background_loop import BackgroundLoop

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("coursefront.visit_queue")

# The values of a visit in the order of COLUMNS.
Row = Sequence[Any]
# Takes an encoded VisitBatch.
Send = Callable[[bytes], Awaitable[None]]
# After a failure the circuit stays open for this long: batches go to the spool.
RETRY_AFTER_S = 1.0
DRAIN_EVERY_S = 0.5
# Files of the spool that are read, and removed, at once: a turn of a thread takes as long as a file.
FILES_AT_ONCE = 50
# Batches on disk are small when visits came slowly; so many rows are sent as one.
JOINED_ROWS = 500
# Before anything was sent.
AT_FAULT = -1.0


class PublishFailed(Exception):
    """The broker did not take a batch, or did not confirm it in time."""


class NotStored(Exception):
    """A visit that cannot be encoded, or an error that nobody expects: it is neither sent nor in the spool."""


class Batch:
    """Visits sent as one message. Each caller waits for a future of its own: one that leaves cancels nobody else's."""

    __slots__ = ("rows", "waiters")

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.waiters: list[asyncio.Future[None]] = []

    def encode(self) -> bytes:
        """Rows that cannot be encoded are refused and left out."""
        try:
            return _encoded(self.rows)
        except ValueError:
            pairs = list(zip(self.rows, self.waiters, strict=True))
        bad = Batch()
        self.rows, self.waiters = [], []
        for row, waiter in pairs:
            batch = self if _is_encodable(row) else bad
            batch.rows.append(row)
            batch.waiters.append(waiter)
        log.error("%d visits cannot be encoded and are refused", len(bad.rows))
        bad.finish(NotStored("it cannot be encoded"))
        return _encoded(self.rows)

    def finish(self, error: Exception | None = None) -> None:
        """All of them are stored, or with an error none is."""
        for waiter in self.waiters:
            if not waiter.done():
                if error is None:
                    waiter.set_result(None)
                else:
                    waiter.set_exception(error)


def _encoded(rows: Sequence[Row]) -> bytes:
    """Raises ValueError."""
    try:
        return orjson.dumps(encode(VisitBatch(columns=list(COLUMNS), rows=list(rows))))
    except TypeError as error:
        # orjson raises it, for instance for a text that is no UTF-8.
        raise ValueError(str(error)) from error


def _is_encodable(row: Row) -> bool:
    try:
        _encoded([row])
    except ValueError:
        return False
    return True


def join_batches(payloads: Sequence[bytes]) -> tuple[int, bytes]:
    """One batch of the first ones that differ in their rows alone, up to JOINED_ROWS rows; and of how many it is."""
    about: dict[str, Any] = {}
    rows: list[Any] = []
    count = 0
    for payload in payloads:
        batch = orjson.loads(payload)
        more = batch.pop("rows")
        # Those of other builds are sent as they are.
        is_current = batch.keys() == _ABOUT and batch["v"] == VisitBatch.v and batch["columns"]
        if not is_current or batch != (about or batch) or len(rows) + len(more) > JOINED_ROWS:
            break
        about, rows, count = batch, rows + more, count + 1
    return count, orjson.dumps({**about, "rows": rows})


_ABOUT = {item.name for item in fields(VisitBatch)} - {"rows"}


class _SpoolFiles:
    """Files on their way: those that wait, what was read ahead of them, and those that are sent and not yet removed."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.waiting = deque(paths)
        self.payloads: dict[Path, bytes | None] = {}
        self.sent: list[Path] = []


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
        # Until a file of the spool is sent after that: no visit waits to see whether the broker is back.
        self._is_broken_off = False
        # When a batch was last sent, and when sending a file of the spool first failed.
        self._sent_at = 0.0
        self._failed: dict[str, float] = {}
        # Visits that come do not wait for a long list of those that are sent again.
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="spool")
        self._drained = ThreadPoolExecutor(1, thread_name_prefix="drained spool")
        self.accepted = self.spooled = self.refused = 0
        self.loop = BackgroundLoop("spool", self._drain_after_pause)

    async def enqueue(self, row: Row) -> None:
        """Return when the row is stored. Raises ServiceUnavailable when it cannot be; the browser sends it again."""
        if self._waiting >= self._max_waiting:
            self.refused += 1
            raise ServiceUnavailable("Too many visits at once. Please try again in a moment.")
        self._waiting += 1
        try:
            await self._add(row)
        except (SpoolFull, NotStored) as error:
            self.refused += 1
            raise ServiceUnavailable("Visits cannot be stored at the moment. Please try again in a moment.") from error
        finally:
            self._waiting -= 1
        self.accepted += 1

    def enqueue_nowait(self, row: Row) -> None:
        """Enqueue without waiting, for visits that no browser sends again; a lost one is logged and counted."""
        if self._waiting >= self._max_waiting:
            self.refused += 1
            return
        task = asyncio.get_running_loop().create_task(self._enqueue_logged(row))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _enqueue_logged(self, row: Row) -> None:
        try:
            await self.enqueue(row)
        except ServiceUnavailable as error:
            log.warning("a visit was not stored: %s", error)

    def _add(self, row: Row) -> asyncio.Future[None]:
        batch, loop = self._batch, asyncio.get_running_loop()
        if batch is None:
            batch = self._batch = Batch()
            self._timer = loop.call_later(self._batch_s, self._flush)
        waiter = loop.create_future()
        batch.rows.append(row)
        batch.waiters.append(waiter)
        if len(batch.rows) >= self._batch_rows:
            self._flush()
        return waiter

    def _flush(self) -> None:
        batch, self._batch = self._batch, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if batch is None:
            return
        task = asyncio.get_running_loop().create_task(self._store(batch))
        self._flushes.add(task)
        task.add_done_callback(self._flushes.discard)

    async def _store(self, batch: Batch) -> None:
        """Every waiter of the batch gets an answer, whatever happens: none of them has a deadline of its own."""
        try:
            payload = batch.encode()
            if batch.rows:
                await self._send_or_spool(batch, payload)
        except Exception as error:
            log.exception("%d visits are refused", len(batch.rows))
            batch.finish(NotStored(str(error)))

    async def _send_or_spool(self, batch: Batch, payload: bytes) -> None:
        try:
            if self._is_broken_off:
                raise PublishFailed("the broker failed a moment ago")
            await self._send(payload)
        except PublishFailed as error:
            self._open_circuit(error)
            await self._spool_batch(batch, payload)
        except Exception:
            # A bug must not lose visits or leave browsers waiting.
            log.exception("visits could not be sent; they go to the spool")
            await self._spool_batch(batch, payload)
        else:
            self._sent_at = time.monotonic()
            batch.finish()

    def _open_circuit(self, error: Exception) -> None:
        if not self._is_broken_off:
            log.warning("visits go to the spool: %s", error)
        self._is_broken_off = True
        self._circuit_open_until = max(self._circuit_open_until, time.monotonic() + RETRY_AFTER_S)

    async def _spool_batch(self, batch: Batch, payload: bytes) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._disk, self._spool.write, payload)
        except SpoolFull as error:
            log.error("%d visits refused: %s", len(batch.rows), error)
            batch.finish(error)
            return
        self.spooled += len(batch.rows)
        batch.finish()

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()
        self._flush()
        if self._flushes:
            await asyncio.wait(self._flushes, timeout=2.0)
        self._disk.shutdown(wait=True)
        self._drained.shutdown(wait=True)

    async def _drain_after_pause(self) -> None:
        await asyncio.sleep(DRAIN_EVERY_S)
        await self._drain()

    async def _drain(self) -> None:
        """Send the spooled batches, oldest first, until sending fails. One that fails although another is sent is at
        fault itself: it stops none, and comes last from then on."""
        if time.monotonic() < self._circuit_open_until:
            return
        paths = await self._on_drained(self._spool.pending)
        self._failed = {path.name: self._failed[path.name] for path in paths if path.name in self._failed}
        files = _SpoolFiles(sorted(paths, key=lambda path: self._is_at_fault(path.name)))
        try:
            has_failed = await self._send_files(files)
        finally:
            await self._on_drained(self._spool.remove_all, files.sent)
        if not has_failed:
            self._is_broken_off = False

    async def _send_files(self, files: "_SpoolFiles") -> bool:
        """Whether the broker failed."""
        while files.waiting:
            if await self._send_joined(files):
                continue
            path = files.waiting.popleft()
            error = await self._send_file(path, files)
            if error is None or self._is_at_fault(path.name):
                continue
            if not files.waiting or await self._send_file(files.waiting.pop(), files) is not None:
                self._open_circuit(error)
                return True
        return False

    async def _send_joined(self, files: "_SpoolFiles") -> bool:
        """Send the next files as one batch. False when they have to be sent one by one, which also finds the one at
        fault."""
        paths = list(islice(files.waiting, FILES_AT_ONCE))
        if paths[0] not in files.payloads:
            files.payloads = await self._on_drained(self._spool.read_all, paths)
        paths = [path for path in paths if path in files.payloads and path.name not in self._failed]
        found = [(path, payload) for path in paths if (payload := files.payloads[path]) is not None]
        count, joined = await self._on_drained(join_batches, [payload for _, payload in found])
        # In their order, up to the first that is sent by itself.
        together = [path for path, _ in found[:count]]
        if count < 2 or list(islice(files.waiting, count)) != together:
            return False
        try:
            await self._send(joined)
        except Exception as error:
            log.info("%d spooled batches are sent one by one: %s", count, error)
            return False
        self._sent_at = time.monotonic()
        self._is_broken_off = False
        for path in together:
            files.waiting.popleft()
            del files.payloads[path]
        files.sent += together
        await self._remove_sent(files)
        return True

    async def _remove_sent(self, files: "_SpoolFiles") -> None:
        if len(files.sent) >= FILES_AT_ONCE:
            sent, files.sent = files.sent, []
            await self._on_drained(self._spool.remove_all, sent)

    async def _send_file(self, path: Path, files: "_SpoolFiles") -> PublishFailed | None:
        """The error if the broker did not take it."""
        if path not in files.payloads:
            files.payloads = await self._on_drained(
                self._spool.read_all, [path, *islice(files.waiting, FILES_AT_ONCE - 1)]
            )
        payload = files.payloads.pop(path)
        if payload is None:
            return None
        try:
            await self._send(payload)
        except PublishFailed as error:
            self._failed.setdefault(path.name, time.monotonic())
            return error
        except Exception:
            if path.name not in self._failed:
                log.exception("spooled batch %s cannot be sent, and stays", path.name)
            self._failed[path.name] = AT_FAULT
            return None
        self._sent_at = time.monotonic()
        self._is_broken_off = False
        files.sent.append(path)
        await self._remove_sent(files)
        return None

    async def _on_drained(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of work with files that wait to be sent again, in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._drained, partial(work, *args, **kwargs))

    def _is_at_fault(self, name: str) -> bool:
        return self._failed.get(name, self._sent_at) < self._sent_at

    @property
    def is_circuit_open(self) -> bool:
        return self._is_broken_off

    def spooled_batches(self) -> int:
        return len(self._spool.pending())

    def broken_batches(self) -> int:
        """Files of the spool that somebody has to look at."""
        return self._spool.broken() + sum(map(self._is_at_fault, self._failed))


VISIT_QUEUE = web.AppKey("visit_queue", VisitQueue)

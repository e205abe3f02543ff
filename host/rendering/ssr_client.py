"""Client of the SSR workers: jobs and markup as length-prefixed frames, many jobs on one connection (docs/wire.md)."""

import asyncio
import contextlib
import logging
import struct
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import cast

import orjson

log = logging.getLogger("coursefront.render")

FRAME = struct.Struct(">IcI")
LARGEST_FRAME = 16 * 1024 * 1024
PING_EVERY_S = 1.0
# A worker that has not answered a ping for this long gets no more jobs until it does.
SILENT_AFTER_S = 2.0
RECONNECT_S = (0.05, 0.1, 0.2, 0.5, 1.0)


class RenderFailed(Exception):
    """No markup can be had from a worker; the page is drawn by the browser instead."""


def frame(kind: bytes, job: int, payload: bytes = b"") -> bytes:
    return FRAME.pack(len(payload) + 5, kind, job) + payload


@dataclass(eq=False)
class Job:
    """One running render. Chunks are handed out by `next`."""

    number: int
    worker: "Worker"
    deadline: float
    chunks: deque[bytes] = field(default_factory=deque)
    ended: bool = False
    failure: str | None = None
    _waiter: asyncio.Future[None] | None = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def put(self, chunk: bytes) -> None:
        self.chunks.append(chunk)
        self._wake()

    def end(self, failure: str | None = None) -> None:
        self.ended, self.failure = True, self.failure or failure
        self._wake()

    @property
    def is_done(self) -> bool:
        """Whether the worker has said all and every piece of it has been handed out."""
        return self.ended and not self.chunks and self.failure is None

    async def next(self, timeout_s: float) -> bytes | None:
        """The next piece of markup, b"" when none came within `timeout_s`, None at the end.

        Raises RenderFailed when the worker failed or went away.
        """
        if not self.chunks and not self.ended:
            self._waiter = asyncio.get_running_loop().create_future()
            timer = asyncio.get_running_loop().call_later(timeout_s, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
        if self.chunks:
            whole = b"".join(self.chunks)
            self.chunks.clear()
            return whole
        if not self.ended:
            return b""
        if self.failure is not None:
            raise RenderFailed(self.failure)
        return None

    def poke(self) -> None:
        """Make a waiting `next` return b"": something else has happened."""
        self._wake()

    def deliver(self, key: str, value: bytes) -> None:
        """A deferred part, as JSON, to the worker."""
        self.worker.send(frame(b"D", self.number, b'{"key":' + orjson.dumps(key) + b',"value":' + value + b"}"))

    def finish(self) -> None:
        self.worker.send(frame(b"A", self.number))

    def cancel(self) -> None:
        """Stop the render; safe at any time, also after the end."""
        if self.worker.jobs.pop(self.number, None) is not None and not self.ended:
            self.worker.send(frame(b"X", self.number))


class Worker(asyncio.Protocol):
    """One connection to one SSR worker, made again whenever it breaks."""

    def __init__(self, address: str):
        self.address = address
        self.jobs: dict[int, Job] = {}
        self.status: dict[str, object] = {}
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._numbers = 0
        self._heard = 0.0
        self._lost = asyncio.Event()

    @property
    def is_ready(self) -> bool:
        return self._transport is not None and time.monotonic() - self._heard < SILENT_AFTER_S + PING_EVERY_S

    def start(self, payload: bytes, deadline: float) -> Job:
        self._numbers = self._numbers % 0xFFFFFFFF + 1
        job = Job(self._numbers, self, deadline)
        self.jobs[job.number] = job
        self.send(frame(b"J", job.number, payload))
        return job

    def send(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Ready only after the first answer: a frozen process accepts connections too.
        self._transport, self._heard = cast(asyncio.Transport, transport), 0.0
        self._buffer.clear()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        for job in self.jobs.values():
            job.end("the render worker went away")
        self.jobs.clear()
        self._lost.set()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        at, size = 0, len(self._buffer)
        while size - at >= 9:
            length, kind, number = FRAME.unpack_from(self._buffer, at)
            if not 5 <= length <= LARGEST_FRAME or kind not in b"CERO":
                self._refuse()
                return
            if size - at < length + 4:
                break
            self._take(kind, number, bytes(self._buffer[at + 9 : at + 4 + length]))
            at += 4 + length
        del self._buffer[:at]

    def _refuse(self) -> None:
        log.error("render worker %s does not speak our frames; connection closed", self.address)
        if self._transport is not None:
            self._transport.abort()

    def _take(self, kind: bytes, number: int, payload: bytes) -> None:
        self._heard = time.monotonic()
        if kind == b"O":
            with contextlib.suppress(orjson.JSONDecodeError):
                self.status = orjson.loads(payload)
            return
        job = self.jobs.get(number)
        if job is None:
            return
        if kind == b"C":
            job.put(payload)
            return
        del self.jobs[number]
        job.end(None if kind == b"E" else payload[:500].decode("utf-8", "replace"))

    async def stay_connected(self) -> None:
        """Connect, ping, and connect again with back-off, until cancelled."""
        tries = 0
        while True:
            self._lost.clear()
            answered = False
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._connect()
                await self._ping_until_lost()
                answered = self._heard > 0
            # One that only takes connections, or talks nonsense, is asked less and less often.
            tries = 0 if answered else tries + 1
            await asyncio.sleep(RECONNECT_S[min(tries, len(RECONNECT_S) - 1)])

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        if self.address.startswith("unix:"):
            await loop.create_unix_connection(lambda: self, self.address.removeprefix("unix:"))
        else:
            host, _, port = self.address.removeprefix("tcp://").rpartition(":")
            await loop.create_connection(lambda: self, host, int(port))

    async def _ping_until_lost(self) -> None:
        while not self._lost.is_set():
            self.send(frame(b"P", 0))
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PING_EVERY_S):
                    await self._lost.wait()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class RenderPool:
    """All SSR workers. Jobs go to the least busy one that answers."""

    def __init__(self, addresses: tuple[str, ...], first_s: float, render_s: float):
        self.workers = [Worker(address) for address in addresses]
        self.first_s, self.render_s = first_s, render_s
        self.failures = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        self._tasks = [asyncio.create_task(worker.stay_connected()) for worker in self.workers]
        yield
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self.workers:
            worker.close()

    @property
    def ready(self) -> int:
        return sum(worker.is_ready for worker in self.workers)

    def start(self, payload: bytes, besides: Worker | None = None) -> Job:
        """Hand a job to the least busy worker other than `besides`. Raises RenderFailed when none answers."""
        candidates = [worker for worker in self.workers if worker.is_ready and worker is not besides]
        if not candidates:
            raise RenderFailed("no render worker answers")
        worker = min(candidates, key=lambda one: len(one.jobs))
        return worker.start(payload, time.monotonic() + self.render_s)

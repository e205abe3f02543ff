"""Client of the SSR workers: jobs and markup as frames, many jobs on one connection (docs/contracts.md, "render")."""

import asyncio
import contextlib
import logging
import struct
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import cast

import orjson
from aiohttp import web

log = logging.getLogger("coursefront.render")

FRAME = struct.Struct(">IcI")
MAX_FRAME_SIZE = 16 * 1024 * 1024
PING_EVERY_S = 1.0
# A worker that has not answered a ping for this long gets no jobs until it does.
MAX_SILENCE_S = 2.0
# How soon a client that disconnected is noticed while a render is awaited.
POLL_S = 0.1
RECONNECT_S = (0.05, 0.1, 0.2, 0.5, 1.0)


class RenderFailed(Exception):
    """A worker gave no markup; the browser renders the page instead."""


def frame(kind: bytes, job: int, payload: bytes = b"") -> bytes:
    return FRAME.pack(len(payload) + 5, kind, job) + payload


@dataclass(eq=False)
class Job:
    """One running render; `next` gives its markup chunk by chunk."""

    number: int
    worker: "SsrConnection"
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
        """Whether the worker has sent everything and `next` has given it."""
        return self.ended and not self.chunks and self.failure is None

    async def next(self, timeout_s: float) -> bytes | None:
        """The next piece of markup, b"" when none came within `timeout_s`, None at the end.

        Raises RenderFailed when the worker failed or disconnected.
        """
        if not self.chunks and not self.ended:
            self._waiter = asyncio.get_running_loop().create_future()
            timer = asyncio.get_running_loop().call_later(timeout_s, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
        if self.chunks:
            markup = b"".join(self.chunks)
            self.chunks.clear()
            return markup
        if not self.ended:
            return b""
        if self.failure is not None:
            raise RenderFailed(self.failure)
        return None

    def poke(self) -> None:
        """Make a waiting `next` return b"": a deferred part has arrived."""
        self._wake()

    def deliver(self, key: str, value: bytes) -> None:
        """Send a deferred part, as JSON, to the worker."""
        self.worker.send(frame(b"D", self.number, b'{"key":' + orjson.dumps(key) + b',"value":' + value + b"}"))

    def finish(self) -> None:
        self.worker.send(frame(b"A", self.number))

    def cancel(self) -> None:
        """Stop the render; safe at any time, also after the end."""
        if self.worker.jobs.pop(self.number, None) is not None and not self.ended:
            self.worker.send(frame(b"X", self.number))


class SsrConnection(asyncio.Protocol):
    """One connection to one SSR worker, renewed whenever it breaks."""

    def __init__(self, address: str):
        self.address = address
        self.jobs: dict[int, Job] = {}
        self.status: dict[str, object] = {}
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._numbers = 0
        self._last_frame_at = 0.0
        self._lost = asyncio.Event()

    @property
    def is_ready(self) -> bool:
        return self._transport is not None and time.monotonic() - self._last_frame_at < MAX_SILENCE_S + PING_EVERY_S

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
        # Ready only after the first reply: a frozen process accepts connections too.
        self._transport, self._last_frame_at = cast(asyncio.Transport, transport), 0.0
        self._buffer.clear()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        for job in self.jobs.values():
            job.end("the render worker disconnected")
        self.jobs.clear()
        self._lost.set()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        position, size = 0, len(self._buffer)
        while size - position >= 9:
            length, kind, number = FRAME.unpack_from(self._buffer, position)
            if not 5 <= length <= MAX_FRAME_SIZE or kind not in b"CERO":
                self._refuse()
                return
            if size - position < length + 4:
                break
            self._handle(kind, number, bytes(self._buffer[position + 9 : position + 4 + length]))
            position += 4 + length
        del self._buffer[:position]

    def _refuse(self) -> None:
        log.error("render worker %s sent an invalid frame; connection closed", self.address)
        if self._transport is not None:
            self._transport.abort()

    def _handle(self, kind: bytes, number: int, payload: bytes) -> None:
        self._last_frame_at = time.monotonic()
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
            replied = False
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._connect()
                await self._ping_until_lost()
                replied = self._last_frame_at > 0
            # A worker that only accepts connections, or sends invalid frames, is tried less and less often.
            tries = 0 if replied else tries + 1
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


class SsrClient:
    """All SSR workers. Jobs go to the least busy one that answers."""

    def __init__(self, addresses: tuple[str, ...], first_s: float, render_s: float):
        self.workers = [SsrConnection(address) for address in addresses]
        self.first_s, self.render_s = first_s, render_s
        self.failures = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
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

    async def render(
        self, payload: bytes, path: str, check_client: Callable[[], None] | None = None
    ) -> tuple[Job, bytes] | tuple[None, None]:
        """The job and its first markup, from another worker if the first one fails.

        Nothing when no worker sent markup within `first_s`. `path` is for the log; `check_client` is called now and
        then and may raise, which ends the render.
        """
        deadline = time.monotonic() + self.first_s
        failed: SsrConnection | None = None
        for _ in range(2):
            try:
                job = self.start(payload, besides=failed)
                failed = job.worker
                return job, await _first_markup(job, deadline, check_client)
            except RenderFailed as error:
                log.warning("render of %s failed: %s", path, error)
        self.failures += 1
        return None, None

    def start(self, payload: bytes, besides: SsrConnection | None = None) -> Job:
        """Hand a job to the least busy worker other than `besides`. Raises RenderFailed when none is ready."""
        candidates = [worker for worker in self.workers if worker.is_ready and worker is not besides]
        if not candidates:
            raise RenderFailed("no render worker is ready")
        worker = min(candidates, key=lambda candidate: len(candidate.jobs))
        return worker.start(payload, time.monotonic() + self.render_s)


async def _first_markup(job: Job, deadline: float, check_client: Callable[[], None] | None) -> bytes:
    """Raises RenderFailed when there is none until `deadline` (time.monotonic()); the job is then cancelled."""
    try:
        while (left := deadline - time.monotonic()) > 0:
            if check_client is not None:
                check_client()
            chunk = await job.next(left if check_client is None else min(left, POLL_S))
            if chunk is None:
                raise RenderFailed("the worker sent no markup")
            if chunk:
                return chunk
        raise RenderFailed("no markup in time")
    except BaseException:
        job.cancel()
        raise


SSR_CLIENT = web.AppKey("render", SsrClient)

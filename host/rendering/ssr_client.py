"""Client of the SSR workers: jobs and markup as frames, many jobs on one connection (docs/contracts.md, "render").

A worker gets a few jobs at once. Under overload a page waits a moment for a free slot, then it is sent without markup.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import cast

import orjson
from aiohttp import web

from host.rendering.render_job import FRAME, Job, RenderFailed, RenderShed, RenderTimedOut, Worker, frame
from host.rendering.ssr_replicas import SsrReplicas, host_and_port, is_name
from host.resilience.background_loop import BackgroundLoop

log = logging.getLogger("coursefront.render")

# Under overload the log names one page of many.
LOG_SHED_EVERY_S = 10.0
# How soon a client that disconnected is noticed while a render is awaited.
POLL_S = 0.1
MAX_FRAME_SIZE = 16 * 1024 * 1024
PING_EVERY_S = 1.0
# A worker with more unanswered pings than this gets no jobs until it answers. Pings and not time: when this process
# itself was kept from running, replies that nobody has read yet are not the worker's silence.
MAX_UNANSWERED_PINGS = 3
# Open jobs of one worker, streams that wait for deferred parts included: these cost it memory, but no time.
MAX_OPEN_JOBS = 256
RECONNECT_S = (0.05, 0.1, 0.2, 0.5, 1.0)


class SsrConnection(asyncio.Protocol):
    """One connection to one SSR worker, renewed whenever it breaks.

    A job takes a slot until its first markup. The slot of a cancelled job is free again only when the worker has sent
    anything since: a frozen one gets no job in its place. `on_free_slot` is called when a slot may be free.
    """

    def __init__(self, address: str, slots: int, on_free_slot: Callable[[], None]):
        self.address, self._slots, self._on_free_slot = address, slots, on_free_slot
        self.jobs: dict[int, Job] = {}
        self.slots_taken = self._slots_cancelled = 0
        self.status: dict[str, object] = {}
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._numbers = 0
        self._has_replied = False
        self._unanswered_pings = 0
        self._lost = asyncio.Event()
        self._tries = 0
        self.loop = BackgroundLoop(f"connection to {address}", self._connect_until_lost)

    @property
    def is_ready(self) -> bool:
        is_connected = self._transport is not None and self._has_replied
        return is_connected and self._unanswered_pings <= MAX_UNANSWERED_PINGS

    @property
    def has_free_slot(self) -> bool:
        return self.slots_taken < self._slots and len(self.jobs) < MAX_OPEN_JOBS

    def start(self, payload: bytes, deadline: float) -> Job:
        self._numbers = self._numbers % 0xFFFFFFFF + 1
        job = Job(self._numbers, self, deadline)
        self.jobs[job.number] = job
        self.slots_taken += 1
        self.send(frame(b"J", job.number, payload))
        return job

    def cancel(self, job: Job) -> None:
        if self.jobs.pop(job.number, None) is None:
            return
        self.send(frame(b"X", job.number))
        self._slots_cancelled += not job.has_markup

    def _free_slots(self, count: int) -> None:
        self.slots_taken -= count
        self._on_free_slot()

    def send(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Ready only after the first reply: a frozen process accepts connections too.
        self._transport, self._has_replied = cast(asyncio.Transport, transport), False
        self._buffer.clear()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        for job in self.jobs.values():
            job.end("the render worker disconnected")
        self.jobs.clear()
        self.slots_taken = self._slots_cancelled = 0
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
        self._has_replied, self._unanswered_pings = True, 0
        if self._slots_cancelled:
            cancelled, self._slots_cancelled = self._slots_cancelled, 0
            self._free_slots(cancelled)
        if kind == b"O":
            with contextlib.suppress(orjson.JSONDecodeError):
                self.status = orjson.loads(payload)
            self.loop.mark_running()
            self._on_free_slot()
            return
        job = self.jobs.get(number)
        if job is None:
            return
        if not job.has_markup:
            job.has_markup = True
            self._free_slots(1)
        if kind == b"C":
            job.put(payload)
            return
        del self.jobs[number]
        job.end(None if kind == b"E" else payload[:500].decode("utf-8", "replace"))

    async def _connect_until_lost(self) -> None:
        """Connect and ping until the connection breaks; then a pause, longer after every try without a reply."""
        self._lost.clear()
        self._has_replied, self._unanswered_pings = False, 0
        try:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._connect()
                await self._ping_until_lost()
        finally:
            # After an unexpected error too the next try begins without a connection.
            if self._transport is not None:
                self._transport.abort()
        # A worker that only accepts connections, or sends invalid frames, is tried less and less often.
        self._tries = 0 if self._has_replied else self._tries + 1
        await asyncio.sleep(RECONNECT_S[min(self._tries, len(RECONNECT_S) - 1)])

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        if self.address.startswith("unix:"):
            await loop.create_unix_connection(lambda: self, self.address.removeprefix("unix:"))
        else:
            host, port = host_and_port(self.address)
            await loop.create_connection(lambda: self, host, port)

    async def _ping_until_lost(self) -> None:
        while not self._lost.is_set():
            self.send(frame(b"P", 0))
            self._unanswered_pings += 1
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PING_EVERY_S):
                    await self._lost.wait()


@dataclass(frozen=True)
class RenderLimits:
    """`slots`: jobs that a worker may have before their first markup. `wait_s`: longest wait for a slot, `first_s`: for
    the first markup, `render_s`: for the whole page."""

    slots: int
    wait_s: float
    first_s: float
    render_s: float


class SsrClient:
    """All SSR workers. Jobs go to the least busy one that answers, and wait `wait_s` at most until one has a free slot.

    `addresses` are those of SSR_URL: a name with several addresses is several workers (decision 0032). `loops` holds
    the present loops, which change with the workers. `failures` and `shed` count pages without markup.
    """

    def __init__(self, addresses: tuple[str, ...], limits: RenderLimits, loops: list[BackgroundLoop]):
        self._limits, self._loops = limits, loops
        self.workers: list[SsrConnection] = []
        self._replicas = [SsrReplicas(address, self._add, self._remove) for address in addresses if is_name(address)]
        loops.extend(replicas.loop for replicas in self._replicas)
        for address in addresses:
            if not is_name(address):
                self._add(address)
        self.failures = self.shed = 0
        self._shed_logged_at = float("-inf")
        # Payloads of jobs that wait for a slot, in their order.
        self._waiting: dict[asyncio.Future[Job], bytes] = {}

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        for worker in self.workers:
            worker.loop.start()
        for replicas in self._replicas:
            replicas.loop.start()
        yield
        await asyncio.gather(*(replicas.loop.stop() for replicas in self._replicas))
        await asyncio.gather(*(worker.loop.stop() for worker in self.workers))

    def _add(self, address: str) -> SsrConnection:
        worker = SsrConnection(address, self._limits.slots, self._start_waiting)
        self.workers.append(worker)
        self._loops.append(worker.loop)
        return worker

    async def _remove(self, worker: SsrConnection) -> None:
        self.workers.remove(worker)
        self._loops.remove(worker.loop)
        await worker.loop.stop()

    @property
    def ready(self) -> int:
        return sum(worker.is_ready for worker in self.workers)

    async def render(
        self, payload: bytes, path: str, check_client: Callable[[], None] | None = None
    ) -> tuple[Job, bytes] | tuple[None, None]:
        """The job and its first markup, from another worker if the first one has failed or is gone.

        Nothing when no worker had a free slot within `wait_s`, or none sent markup within `first_s`. `path` is for the
        log; `check_client` is called now and then and may raise, which ends the render.
        """
        deadline = time.monotonic() + self._limits.first_s
        failed: Worker | None = None
        for _ in range(2):
            try:
                job = await self.start(payload, besides=failed)
                failed = job.worker
                return job, await _first_markup(job, deadline, check_client)
            except RenderShed:
                self._count_shed(path)
                return None, None
            except RenderFailed as error:
                log.warning("render of %s failed: %s", path, error)
                if isinstance(error, RenderTimedOut):
                    break
        self.failures += 1
        return None, None

    async def start(self, payload: bytes, besides: Worker | None = None) -> Job:
        """Hand a job to the least busy worker other than `besides`, when one has a free slot.

        Raises RenderFailed when no worker is ready, RenderShed when none has a free slot within `wait_s`.
        """
        ready = [worker for worker in self.workers if worker.is_ready and worker is not besides]
        if not ready:
            raise RenderFailed("no render worker is ready")
        worker = min(ready, key=lambda candidate: candidate.slots_taken)
        if worker.has_free_slot and not self._waiting:
            return worker.start(payload, time.monotonic() + self._limits.render_s)
        return await self._wait_for_slot(payload)

    async def _wait_for_slot(self, payload: bytes) -> Job:
        turn: asyncio.Future[Job] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = payload
        try:
            await asyncio.wait({turn}, timeout=self._limits.wait_s)
        except asyncio.CancelledError:
            if turn.done():
                turn.result().cancel()
            raise
        finally:
            self._waiting.pop(turn, None)
        if not turn.done():
            raise RenderShed
        return turn.result()

    def _start_waiting(self) -> None:
        """Hand waiting jobs, oldest first, to workers with free slots."""
        while self._waiting:
            free = [worker for worker in self.workers if worker.is_ready and worker.has_free_slot]
            if not free:
                return
            worker = min(free, key=lambda candidate: candidate.slots_taken)
            turn = next(iter(self._waiting))
            turn.set_result(worker.start(self._waiting.pop(turn), time.monotonic() + self._limits.render_s))

    def _count_shed(self, path: str) -> None:
        self.shed += 1
        if time.monotonic() - self._shed_logged_at > LOG_SHED_EVERY_S:
            self._shed_logged_at = time.monotonic()
            log.warning("the render workers are overloaded: %d pages without markup, such as %s", self.shed, path)


async def _first_markup(job: Job, deadline: float, check_client: Callable[[], None] | None) -> bytes:
    """Raises RenderTimedOut when there is none until `deadline` (time.monotonic()); the job is then cancelled.

    Raises RenderFailed when the worker failed or disconnected.
    """
    try:
        while (left := deadline - time.monotonic()) > 0:
            if check_client is not None:
                check_client()
            chunk = await job.next(left if check_client is None else min(left, POLL_S))
            if chunk is None:
                raise RenderFailed("the worker sent no markup")
            if chunk:
                return chunk
        raise RenderTimedOut("no markup in time")
    except BaseException:
        job.cancel()
        raise


SSR_CLIENT = web.AppKey("render", SsrClient)

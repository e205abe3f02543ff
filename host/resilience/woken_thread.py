"""Blocking work that is done now and then, and at once when somebody says that there is some."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from host.resilience.background_loop import BackgroundLoop
from host.resilience.daemon_thread import run_in_daemon_thread

# Beyond that, work of a host that stops is given up: its rows keep their leases, and are handled after the next start.
STOP_S = 1.0


class WokenThread:
    """Turns of work in a daemon thread, one after the other."""

    def __init__(self, name: str):
        self._name = name
        self._wake = asyncio.Event()
        self._running: asyncio.Future[None] | None = None

    def wake(self) -> None:
        self._wake.set()

    async def turn(self, within_s: float, work: Callable[[], None]) -> None:
        """Wait until woken, at most `within_s`, and do the work. Raises what it raises."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._wake.wait()
        self._wake.clear()
        self._running = run_in_daemon_thread(work, self._name)
        await asyncio.shield(self._running)

    async def finish(self) -> None:
        """Wait for a turn that has begun, at most STOP_S."""
        if self._running is not None:
            await asyncio.wait({self._running}, timeout=STOP_S)


class WokenPart:
    """A part of a host that works in turns of `_thread`, each an iteration of `loop`, until the host stops."""

    loop: BackgroundLoop
    _thread: WokenThread

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()
        await self._thread.finish()

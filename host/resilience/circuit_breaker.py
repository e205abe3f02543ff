"""A circuit breaker: after a failure a service gets no requests until a probe in the background succeeds."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger("coursefront.breaker")

FIRST_RETRY_AFTER_S = 0.2
MAX_RETRY_AFTER_S = 5.0


class CircuitBreaker:
    """Open after `trip` until `probe` succeeds; the pauses between probes double."""

    def __init__(self, name: str, probe: Callable[[], Awaitable[object]]):
        self._name, self._probe = name, probe
        self._probing: asyncio.Task[None] | None = None
        self.trips = 0
        self._was_available = False

    @property
    def is_open(self) -> bool:
        return self._probing is not None

    @property
    def is_starting(self) -> bool:
        """Open since `watch`: nobody knows yet whether the service is available."""
        return self.is_open and self.trips == 0 and not self._was_available

    def trip(self, reason: object) -> None:
        """Open the circuit. Further failures of requests that are already waiting change nothing."""
        if self._probing is None:
            self.trips += 1
            log.warning("the circuit of %s is open: %s", self._name, reason)
            self.watch()

    def watch(self) -> None:
        """Open the circuit without a failure: the service is not known to be available yet."""
        self._probing = self._probing or asyncio.get_running_loop().create_task(self._probe_until_available())

    async def _probe_until_available(self) -> None:
        pause_s = FIRST_RETRY_AFTER_S
        while True:
            try:
                await self._probe()
            except Exception as error:
                log.debug("%s is not available yet: %s", self._name, error)
            else:
                self._probing, self._was_available = None, True
                log.info("%s is available", self._name)
                return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MAX_RETRY_AFTER_S)

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._probing
            self._probing = None

"""A circuit breaker: what failed is left alone, and only we, never a visitor, wait to see whether it is well again."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger("coursefront.breaker")

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 5.0


class Breaker:
    """Open after `trip` until `probe` comes back without an error; the pauses between probes double."""

    def __init__(self, name: str, probe: Callable[[], Awaitable[object]]):
        self._name, self._probe = name, probe
        self._probing: asyncio.Task[None] | None = None
        self.trips = 0

    @property
    def is_open(self) -> bool:
        return self._probing is not None

    def trip(self, why: object) -> None:
        """Leave it alone from now on. More failures of those already waiting change nothing."""
        if self._probing is None:
            self.trips += 1
            log.warning("%s is left alone: %s", self._name, why)
            self.watch()

    def watch(self) -> None:
        """Open without anything having failed: not known to be well yet."""
        self._probing = self._probing or asyncio.get_running_loop().create_task(self._until_well())

    async def _until_well(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                await self._probe()
            except Exception as error:
                log.debug("%s is not well yet: %s", self._name, error)
            else:
                self._probing = None
                log.info("%s is well", self._name)
                return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._probing
            self._probing = None

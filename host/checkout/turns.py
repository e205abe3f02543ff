"""How many orders one process places at once: the others wait in turn, for a limited time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from domain.errors import ServiceUnavailable

# What a buyer waits for a turn. The deadline of the database starts after it.
WAIT_S = 8.0
# Turns of the event loop: in the first a request that has come is read, in the second a cached page is sent.
PAUSE_TURNS = 3


class CheckoutBusy(ServiceUnavailable):
    """No turn came in time. The next try need not wait: it waits for its turn."""

    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("Many people are ordering just now. Nothing is charged; please try again in a moment.")


class NoTurn(CheckoutBusy):
    """The turn to place an order did not come; what can be told by reading can be told all the same."""


async def pause() -> None:
    """Serve who has come meanwhile. Each part of what is read for a refused order keeps the event loop for up to half a
    millisecond: if the parts followed each other, a page of somebody else would wait for two or three of them. Not for
    a time: while it sleeps, a process on a busy machine loses its core."""
    for _turn in range(PAUSE_TURNS):
        await asyncio.sleep(0)


class CheckoutTurns:
    """At most `limit` holders at once, in the order in which they came. `readers`: how many read a checkout at once
    whose order was refused, or may be: one where reads run on the event loop."""

    def __init__(self, limit: int, readers: int = 1, wait_s: float = WAIT_S):
        self._free = asyncio.Semaphore(limit)
        self._readers = asyncio.Semaphore(readers)
        self._wait_s = wait_s
        # How many wait for a turn now.
        self.waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Whether others were before, so that the holder has waited. Raises NoTurn."""
        has_waited = self._free.locked()
        self.waiting += 1
        try:
            await self._acquire(self._free, NoTurn)
        finally:
            self.waiting -= 1
        try:
            yield has_waited
        finally:
            self._free.release()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Others are served before and after it, as by each `pause` in between: in a rush other visitors would else
        wait for all readers. Raises CheckoutBusy."""
        await self._acquire(self._readers, CheckoutBusy)
        try:
            await pause()
            yield
            await pause()
        finally:
            self._readers.release()

    async def _acquire(self, free: asyncio.Semaphore, refusal: type[CheckoutBusy]) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await free.acquire()
        except TimeoutError:
            raise refusal from None


CHECKOUT_TURNS = web.AppKey("checkout_turns", CheckoutTurns)

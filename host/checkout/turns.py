"""How many orders one process places at once: the others wait in turn, for a limited time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from domain.errors import ServiceUnavailable

# What a buyer waits for a turn. The deadline of the database starts after it.
WAIT_S = 8.0


class CheckoutBusy(ServiceUnavailable):
    """No turn came in time."""

    def __init__(self) -> None:
        super().__init__("Many people are ordering just now. Nothing is charged; please try again in a moment.")


class CheckoutTurns:
    """At most `limit` holders at once, in the order in which they came."""

    def __init__(self, limit: int, wait_s: float = WAIT_S):
        self._free = asyncio.Semaphore(limit)
        self._wait_s = wait_s

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Raises CheckoutBusy."""
        try:
            async with asyncio.timeout(self._wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise CheckoutBusy from None
        try:
            yield
        finally:
            self._free.release()


CHECKOUT_TURNS = web.AppKey("checkout_turns", CheckoutTurns)

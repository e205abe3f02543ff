"""The queue of PDFs: a process renders one at a time, because each takes a processor for itself."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from domain.errors import ServiceUnavailable

# As long as a call of the site may take.
QUEUE_S = 10.0


class PrinterBusy(ServiceUnavailable):
    """So many PDFs are waiting that this one was not begun in time."""

    retry_after_s = 30

    def __init__(self) -> None:
        super().__init__("Many documents are being made right now. Please try again in half a minute.")


class Printer:
    """`queue_s`: how long a PDF waits for those before it, in seconds."""

    def __init__(self, queue_s: float = QUEUE_S):
        self._queue_s = queue_s
        self._one_at_a_time = asyncio.Semaphore(1)

    async def render(self, work: Callable[[], bytes]) -> bytes:
        """The file that `work` makes, in a thread. Raises PrinterBusy, and `work` is not done, when `queue_s` is
        over."""
        try:
            async with asyncio.timeout(self._queue_s):
                await self._one_at_a_time.acquire()
        except TimeoutError:
            raise PrinterBusy from None
        try:
            return await asyncio.to_thread(work)
        finally:
            self._one_at_a_time.release()


PRINTER = web.AppKey("printer", Printer)

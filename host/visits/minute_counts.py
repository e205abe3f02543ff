"""Counts that this process collects by minute, and queues as rows of visits once a minute is over."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

from aiohttp import web

from domain.visits import batches
from host.messaging.visit_queue import VisitQueue
from host.resilience.background_loop import BackgroundLoop

EVERY_S = 5.0


class MinuteCounts(ABC):
    """Minutes are counted since 1970. What a stopping process has counted is queued before the queue itself stops."""

    def __init__(self, name: str, queue: VisitQueue) -> None:
        self._queue = queue
        self.loop = BackgroundLoop(name, self._flush_after_pause)

    @abstractmethod
    def _take_rows(self, before_minute: int) -> Iterator[dict[str, object]]:
        """Remove the counts of minutes before that one, and yield their rows: the columns that are not blank, besides
        those that all such rows share."""

    def flush(self, before_minute: int) -> None:
        """Queue the rows of the minutes before that one."""
        for values in self._take_rows(before_minute):
            row = {**batches.BLANK, "event_id": str(uuid4()), "source": "host", **values}
            self._queue.enqueue_nowait(list(row.values()))

    async def _flush_after_pause(self) -> None:
        await asyncio.sleep(EVERY_S)
        self.flush(int(time.time()) // 60)

    async def lifespan(self, _app: web.Application) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()
        self.flush(2**62)
        # The rows reach the queue before that is flushed itself.
        await asyncio.sleep(0)

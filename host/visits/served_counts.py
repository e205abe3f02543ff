"""Counts of the documents that this process serves, by minute and kind of agent: one row of visits for each minute."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

from aiohttp import web

from domain.visits import batches
from domain.visits.served_documents import COUNTS, MINUTE, as_text
from host.messaging.visit_queue import VisitQueue
from host.resilience.background_loop import BackgroundLoop

EVERY_S = 5.0


class ServedCounts:
    """`documents`: by minute since 1970 and class of agent. Whoever serves a page adds to it, without a call: this
    is on the path of every cached page."""

    def __init__(self, queue: VisitQueue) -> None:
        self._queue = queue
        self.documents: defaultdict[tuple[int, str], int] = defaultdict(int)
        self.loop = BackgroundLoop("served pages", self._flush_after_pause)

    def flush(self, before_minute: int) -> None:
        """Queue a row for each of the minutes before that one."""
        found: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for key in [key for key in self.documents if key[0] < before_minute]:
            minute, agent_class = key
            found[minute][agent_class] = self.documents.pop(key)
        for minute, counts in found.items():
            self._queue.enqueue_nowait(_row(minute, counts))

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


def _row(minute: int, counts: dict[str, int]) -> list[Any]:
    values = {
        **batches.BLANK,
        "event_id": str(uuid4()),
        "visited_at": minute * MINUTE,
        "visitor_class": COUNTS,
        "source": "host",
        "attributes": as_text(counts),
    }
    return list(values.values())


SERVED_COUNTS = web.AppKey("served_counts", ServedCounts)

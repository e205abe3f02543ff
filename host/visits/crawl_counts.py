"""Counts of fetches that are not stored singly, because their network had sent more than its limit in a minute: one row
for each minute, crawler, network, kind of page and status, so that totals stay exact."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

from aiohttp import web

from domain.crawlers.fetches import AnsweredFetch, kind_of_page, machine_kind
from domain.visits import batches
from domain.visits.visits import address_of
from host.messaging.visit_queue import VisitQueue
from host.resilience.background_loop import BackgroundLoop

EVERY_S = 5.0
# Anybody can send names: beyond so many rows in a minute fetches are counted without crawler and network.
MAX_KEYS = 5_000
OTHER = "(other)"


class CountKey(NamedTuple):
    minute: int
    crawler: str
    network: str
    page_kind: str
    status: int


@dataclass
class CrawlSums:
    """`last_at`: when the last of them was, in microseconds since 1970."""

    count: int = 0
    bytes: int = 0
    ms: int = 0
    last_at: int = 0


class CrawlCounts:
    """`now`: seconds since 1970."""

    def __init__(self, queue: VisitQueue) -> None:
        self._queue = queue
        self._sums: dict[CountKey, CrawlSums] = {}
        self.loop = BackgroundLoop("crawl counts", self._flush_after_pause)

    def add(self, crawler: str, network: str, path: str, answer: AnsweredFetch) -> None:
        """`path`: as it was asked for, without the query."""
        at = time.time_ns() // 1000
        key = CountKey(at // 60_000_000, crawler, network, _page_kind(path), answer.status)
        if key not in self._sums and len(self._sums) >= MAX_KEYS:
            key = key._replace(crawler=OTHER, network="")
        sums = self._sums.setdefault(key, CrawlSums())
        sums.count += 1
        sums.bytes += answer.bytes
        sums.ms += answer.ms
        sums.last_at = max(sums.last_at, at)

    def flush(self, before_minute: int) -> None:
        """Queue the rows of the minutes before that one."""
        for key in [key for key in self._sums if key.minute < before_minute]:
            self._queue.enqueue_nowait(_row(key, self._sums.pop(key)))

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


@lru_cache(1024)
def _page_kind(path: str) -> str:
    return machine_kind(path) or kind_of_page(address_of(path).page)


def _row(key: CountKey, sums: CrawlSums) -> list[Any]:
    answer = AnsweredFetch(key.status, sums.bytes, sums.ms, sums.count, key.page_kind)
    values = {
        **batches.BLANK,
        "event_id": str(uuid4()),
        "visited_at": sums.last_at,
        "visitor_class": "crawler",
        "source": "host",
        "agent": key.crawler,
        "address": key.network,
        "attributes": answer.as_text(),
    }
    return list(values.values())


CRAWL_COUNTS = web.AppKey("crawl_counts", CrawlCounts)

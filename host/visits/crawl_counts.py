"""Counts of fetches that are not stored singly, because their network had sent more than its limit in a minute: one row
for each minute, crawler, network, kind of page and status, so that totals stay exact."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from aiohttp import web

from domain.crawlers.fetches import AnsweredFetch, kind_of_page, machine_kind
from domain.visits.visits import address_of
from host.messaging.visit_queue import VisitQueue
from host.visits.minute_counts import MinuteCounts

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


class CrawlCounts(MinuteCounts):
    """Sums of the fetches that are counted only."""

    def __init__(self, queue: VisitQueue) -> None:
        super().__init__("crawl counts", queue)
        self._sums: dict[CountKey, CrawlSums] = {}

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

    def _take_rows(self, before_minute: int) -> Iterator[dict[str, object]]:
        for key in [key for key in self._sums if key.minute < before_minute]:
            yield _row(key, self._sums.pop(key))


@lru_cache(1024)
def _page_kind(path: str) -> str:
    return machine_kind(path) or kind_of_page(address_of(path).page)


def _row(key: CountKey, sums: CrawlSums) -> dict[str, object]:
    answer = AnsweredFetch(key.status, sums.bytes, sums.ms, sums.count, key.page_kind)
    return {
        "visited_at": sums.last_at,
        "visitor_class": "crawler",
        "agent": key.crawler,
        "address": key.network,
        "attributes": answer.as_text(),
    }


CRAWL_COUNTS = web.AppKey("crawl_counts", CrawlCounts)

"""Rendered pages in memory, the same for everyone: rendered and compressed once, replaced when the catalogue changes.

Only complete pages are cached (no nonce, nothing of a visitor), so a cached page may be sent to anybody. Outdated pages
stay: while the database or the renderers are unavailable they are served, marked stale, instead of an error.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from aiohttp import web

from host.page_cache.disk import DiskCache
from host.page_cache.entry import CachedPage, EncodedPage
from host.resilience.single_flight import SingleFlight

T = TypeVar("T")

MAX_ALIASES = 8_192
MAX_ALIAS_LENGTH = 512
# A page that was sent this often is compressed as small as possible, in a thread.
RECOMPRESS_AFTER_HITS = 32


class PageCache:
    """Pages by canonical URL, at most `max_bytes` of them; the least recently used page is dropped first.

    Pages that were dropped, or rendered by another process, may still be in the disk cache.
    """

    def __init__(self, max_bytes: int, disk: DiskCache | None = None):
        self._max_bytes, self._disk = max_bytes, disk
        self._pages: OrderedDict[str, CachedPage] = OrderedDict()
        self._aliases: OrderedDict[str, str] = OrderedDict()
        # Pages that requests wait for, and pages with slow parts that are cached for later requests.
        self.renders, self.background = SingleFlight[Any](), SingleFlight[None]()
        self._compressor = ThreadPoolExecutor(1, thread_name_prefix="compressor")
        self._bytes = 0
        self.hits = self.misses = self.stale = 0

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        await self.renders.close()
        await self.background.close()
        self._compressor.shutdown(wait=False, cancel_futures=True)

    def get_fresh(self, raw_path: str, generation: int, at: float) -> CachedPage | None:
        """The page of exactly this URL, if it is of this generation and has not expired at `at` (time.monotonic())."""
        page = self.find_fresh(raw_path, generation, at)
        if page is not None:
            self.count_hit(page)
        return page

    def find_fresh(self, raw_path: str, generation: int, at: float) -> CachedPage | None:
        """The page that `get_fresh` would find, without counting it: it may not be sent."""
        key = self._aliases.get(raw_path)
        page = None if key is None else self._pages.get(key)
        return page if page is not None and page.is_valid(generation, at) else None

    def count_hit(self, page: CachedPage) -> None:
        """Count that the page is sent, the latest of all."""
        self._pages.move_to_end(page.key)
        self.hits += 1

    def get_any(self, key: str) -> CachedPage | None:
        """The page, however old."""
        return self._pages.get(key)

    async def get_or_load(self, key: str) -> CachedPage | None:
        """The page, however old, of this process or from disk: for when none can be rendered."""
        page = self._pages.get(key)
        if page is None and self._disk is not None:
            page = await self._disk.read(key)
            if page is not None and key not in self._pages:
                self._put(page)
        return page

    def add_alias(self, raw_path: str, key: str) -> None:
        """Let `get_fresh` find the page of `key` under another URL: with tracking parameters, in another order."""
        if len(raw_path) <= MAX_ALIAS_LENGTH:
            self._aliases[raw_path] = key
            if len(self._aliases) > MAX_ALIASES:
                self._aliases.popitem(last=False)

    def encoded(self, page: CachedPage, encoding: str) -> EncodedPage:
        """The page and its headers in an encoding of `best_encoding`, compressed when first needed.

        Do not change the headers: they are the page's own.
        """
        page.sent += 1
        if page.sent == RECOMPRESS_AFTER_HITS:
            self._recompress(page)
        found = page.encodings.get(encoding)
        return self._resized(page, lambda: page.encoded(encoding)) if found is None else found

    def _resized(self, page: CachedPage, change: Callable[[], T]) -> T:
        """Call `change`, which may change the page's size, and keep the sum of sizes."""
        before = page.size
        result = change()
        if self._pages.get(page.key) is page:
            self._bytes += page.size - before
            self._evict()
        return result

    def _recompress(self, page: CachedPage) -> None:
        compression = asyncio.get_running_loop().run_in_executor(self._compressor, page.recompress)
        compression.add_done_callback(lambda done: None if done.cancelled() else self._resized(page, done.result()))

    def put(self, page: CachedPage) -> None:
        self._put(page)
        if self._disk is not None:
            self._disk.write_later(page)

    def _put(self, page: CachedPage) -> None:
        old = self._pages.pop(page.key, None)
        self._bytes += page.size - (old.size if old else 0)
        self._pages[page.key] = page
        self._evict()

    def _evict(self) -> None:
        while self._bytes > self._max_bytes and len(self._pages) > 1:
            self._bytes -= self._pages.popitem(last=False)[1].size

    @property
    def is_empty(self) -> bool:
        return not self._pages

    def counts(self) -> dict[str, float | int]:
        requests = self.hits + self.misses
        return {
            "pages": len(self._pages),
            "bytes": self._bytes,
            "hits": self.hits,
            "misses": self.misses,
            "stale": self.stale,
            "unstored": 0 if self._disk is None else self._disk.dropped,
            "hit_rate": round(self.hits / requests, 4) if requests else 0.0,
        }


# None: PAGE_CACHE=off.
PAGE_CACHE: web.AppKey[PageCache | None] = web.AppKey("page_cache")

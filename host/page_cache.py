"""Finished pages as bytes, the same for everyone: made once, packed once, replaced when the catalogue moves.

Only whole pages get in (no nonce, nothing of a visitor), so a kept page can go to anybody. One that is out of date is
kept for the day when records or renderers are away: then it is served rather than an error, and says so.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

from host.kept import Kept
from host.page_store import PageStore

T = TypeVar("T")
log = logging.getLogger("coursefront.page_cache")

MOST_ALIASES = 8_192
LONGEST_ALIAS = 512
# A page that was sent this often is packed as small as it gets, beside everything else.
SENT_OFTEN = 32


class PageCache:
    """Pages by their canonical address, at most `most_bytes` of them, the least recently asked for dropped first.

    What is dropped, or was made by another process, may still be in the `store`.
    """

    def __init__(self, most_bytes: int, store: PageStore | None = None):
        self._most, self._store = most_bytes, store
        self._pages: OrderedDict[str, Kept] = OrderedDict()
        self._aliases: OrderedDict[str, str] = OrderedDict()
        self._making: dict[str, asyncio.Future[Any]] = {}
        self._late: dict[str, asyncio.Future[Kept | None]] = {}
        self._packer = ThreadPoolExecutor(1, thread_name_prefix="packer")
        self._bytes = 0
        self.hits = self.misses = self.stale = 0

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        yield
        running = [*self._making.values(), *self._late.values()]
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._packer.shutdown(wait=False, cancel_futures=True)

    def find(self, raw_address: str, edition: int, at: float) -> Kept | None:
        """The page behind an address exactly as it was asked for, if it is of this edition and not too old.

        `at`: time.monotonic(), or 0 while there is no newer one to be had.
        """
        key = self._aliases.get(raw_address)
        found = None if key is None else self._pages.get(key)
        if key is None or found is None or not found.is_valid(edition, at):
            return None
        self._pages.move_to_end(key)
        self.hits += 1
        return found

    def get(self, key: str) -> Kept | None:
        """The page, however old."""
        return self._pages.get(key)

    async def stored(self, key: str) -> Kept | None:
        """The page however old and whoever made it: for when none can be made."""
        found = self._pages.get(key)
        if found is None and self._store is not None:
            found = await self._store.find(key)
            if found is not None and key not in self._pages:
                self._put(found)
        return found

    def name(self, raw_address: str, key: str) -> None:
        """`raw_address` is another way to ask for `key` (tracking parameters, another order)."""
        if len(raw_address) <= LONGEST_ALIAS:
            self._aliases[raw_address] = key
            if len(self._aliases) > MOST_ALIASES:
                self._aliases.popitem(last=False)

    def body(self, page: Kept, coding: str) -> bytes:
        """The page in a coding of `coding_for`, packed when that is first asked for."""
        page.sent += 1
        if page.sent == SENT_OFTEN:
            self._pack_well(page)
        found = page.forms.get(coding)
        return self._resized(page, lambda: page.form(coding)) if found is None else found

    def _resized(self, page: Kept, change: Callable[[], T]) -> T:
        before = page.size
        outcome = change()
        if self._pages.get(page.key) is page:
            self._bytes += page.size - before
            self._make_room()
        return outcome

    def _pack_well(self, page: Kept) -> None:
        packing = asyncio.get_running_loop().run_in_executor(self._packer, page.packed_well)
        packing.add_done_callback(lambda done: None if done.cancelled() else self._resized(page, done.result()))

    async def made_once(self, key: str, make: Callable[[], Awaitable[T]]) -> "T | Kept":
        """What `make` makes, made once however many ask meanwhile; a finished page is kept.

        A visitor who leaves does not end the making: others wait for it.
        """
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.ensure_future(make())
            task.add_done_callback(lambda done: self._made(key, done))
        return cast("T | Kept", await asyncio.shield(task))

    def _made(self, key: str, done: "asyncio.Future[Any]") -> None:
        self._making.pop(key, None)
        if not done.cancelled() and done.exception() is None and isinstance(done.result(), Kept):
            self._keep(done.result())

    def keep_later(self, key: str, making: Coroutine[Any, Any, Kept | None]) -> None:
        """Finish a page in the background, once however many could start it."""
        if key in self._late:
            making.close()
            return
        task = self._late[key] = asyncio.ensure_future(making)
        task.add_done_callback(lambda done: self._came_late(key, done))

    def _came_late(self, key: str, done: "asyncio.Future[Kept | None]") -> None:
        self._late.pop(key, None)
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:
            log.warning("a page could not be finished for keeping: %r", error)
        elif (kept := done.result()) is not None:
            self._keep(kept)

    def _keep(self, page: Kept) -> None:
        self._put(page)
        if self._store is not None:
            self._store.keep(page)

    def _put(self, page: Kept) -> None:
        old = self._pages.pop(page.key, None)
        self._bytes += page.size - (old.size if old else 0)
        self._pages[page.key] = page
        self._make_room()

    def _make_room(self) -> None:
        while self._bytes > self._most and len(self._pages) > 1:
            self._bytes -= self._pages.popitem(last=False)[1].size

    @property
    def is_empty(self) -> bool:
        return not self._pages

    def counts(self) -> dict[str, float | int]:
        asked = self.hits + self.misses
        rate = round(self.hits / asked, 4) if asked else 0.0
        return {
            "pages": len(self._pages),
            "bytes": self._bytes,
            "hits": self.hits,
            "misses": self.misses,
            "stale": self.stale,
            "unstored": 0 if self._store is None else self._store.dropped,
            "hit_rate": rate,
        }

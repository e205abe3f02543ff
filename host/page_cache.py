"""Finished pages as bytes, the same for everyone: made once, compressed once, replaced when the catalogue moves.

Only whole pages get in (no nonce, nothing of a visitor), so a kept page can go to anybody. One of an older edition is
kept for the day when records or renderers are away: then it is served rather than an error, and says so.
"""

import asyncio
import logging
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from hashlib import sha256
from typing import Any, TypeVar, cast

import brotli
from multidict import CIMultiDict

from host.encoding import accepted
from host.server import PROTECTIVE

T = TypeVar("T")
log = logging.getLogger("coursefront.page_cache")

# Compressed once, sent often: a little more effort than a page that is thrown away (performance.md §2).
BROTLI_QUALITY = 5
GZIP_LEVEL = 6
MOST_ALIASES = 8_192
LONGEST_ALIAS = 512


class Kept:
    """One finished page of one edition of the catalogue."""

    __slots__ = ("_etag", "_headers", "_packed", "body", "edition", "page", "size")

    def __init__(self, page: str, body: bytes, edition: int, headers: Mapping[str, str]):
        self.page, self.body, self.edition = page, body, edition
        self._etag = sha256(body).hexdigest()[:20]
        self._packed: dict[str, bytes] = {"": body}
        self._headers: dict[str, CIMultiDict[str]] = {}
        self._base(headers)
        self.size = len(body)

    def _base(self, headers: Mapping[str, str]) -> None:
        base = CIMultiDict({**PROTECTIVE, **headers})
        for coding in ("", "br", "gzip"):
            made = base.copy()
            made["ETag"] = f'"{self._etag}{"-" + coding if coding else ""}"'
            if coding:
                made["Content-Encoding"] = coding
            self._headers[coding] = made

    def headers(self, coding: str) -> CIMultiDict[str]:
        return self._headers[coding]

    def packed(self, coding: str) -> bytes:
        """The body in a coding, made when it is first asked for."""
        found = self._packed.get(coding)
        if found is None:
            found = self._packed[coding] = pack(self.body, coding)
            self.size += len(found)
        return found

    def matches(self, if_none_match: str) -> bool:
        """Whether the visitor already has this page, in whatever coding."""
        return if_none_match.strip() == "*" or self._etag in if_none_match


def pack(body: bytes, coding: str) -> bytes:
    """A body in one of the codings of `coding_for`; "" leaves it as it is."""
    if not coding:
        return body
    if coding == "br":
        return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=BROTLI_QUALITY))
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()


_CODINGS: dict[str, str] = {}


def coding_for(accept: str) -> str:
    """br, gzip or "" for an Accept-Encoding header; browsers send a handful of different ones."""
    found = _CODINGS.get(accept)
    if found is None:
        codings = accepted(accept) if accept else set()
        found = "br" if "br" in codings else "gzip" if "gzip" in codings else ""
        if len(_CODINGS) < 1_000:
            _CODINGS[accept] = found
    return found


class PageCache:
    """Pages by their canonical address, at most `most_bytes` of them, the least recently asked for dropped first."""

    def __init__(self, most_bytes: int):
        self._most = most_bytes
        self._pages: OrderedDict[str, Kept] = OrderedDict()
        self._aliases: OrderedDict[str, str] = OrderedDict()
        self._making: dict[str, asyncio.Future[Any]] = {}
        self._late: dict[str, asyncio.Future[Kept | None]] = {}
        self._bytes = 0
        self.hits = self.misses = self.stale = 0

    def find(self, raw_address: str, edition: int) -> Kept | None:
        """The page behind an address exactly as it was asked for, if it is of this edition."""
        key = self._aliases.get(raw_address)
        found = None if key is None else self._pages.get(key)
        if key is None or found is None or found.edition != edition:
            return None
        self._pages.move_to_end(key)
        self.hits += 1
        return found

    def get(self, key: str) -> Kept | None:
        """The page of whatever edition."""
        return self._pages.get(key)

    def name(self, raw_address: str, key: str) -> None:
        """`raw_address` is another way to ask for `key` (tracking parameters, another order)."""
        if len(raw_address) <= LONGEST_ALIAS:
            self._aliases[raw_address] = key
            if len(self._aliases) > MOST_ALIASES:
                self._aliases.popitem(last=False)

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
            self._put(key, done.result())

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
            self._put(key, kept)

    def _put(self, key: str, page: Kept) -> None:
        old = self._pages.pop(key, None)
        self._bytes += page.size - (old.size if old else 0)
        self._pages[key] = page
        while self._total() > self._most and len(self._pages) > 1:
            self._pages.popitem(last=False)

    def _total(self) -> int:
        """Packed forms come later, so what a page weighs is counted when it matters."""
        if self._bytes * 2 > self._most:
            self._bytes = sum(page.size for page in self._pages.values())
        return self._bytes

    def counts(self) -> dict[str, float | int]:
        asked = self.hits + self.misses
        rate = round(self.hits / asked, 4) if asked else 0.0
        return {
            "pages": len(self._pages),
            "bytes": sum(page.size for page in self._pages.values()),
            "hits": self.hits,
            "misses": self.misses,
            "stale": self.stale,
            "hit_rate": rate,
        }

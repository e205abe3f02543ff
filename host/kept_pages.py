"""Which pages are kept, under which address, and what goes out when records or renderers are away."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from aiohttp import web
from multidict import MultiMapping

from domain import catalogue
from domain.errors import Unavailable
from domain.pages import Match, match
from host import keys
from host.drawing import PART_DEADLINE_S, Finished, gather, headers_of
from host.kept import OUTDATED, Document, Kept, coding_for, pack
from host.loaders import Answer, Loaded
from host.page_cache import PageCache
from host.site import SiteCache

log = logging.getLogger("coursefront.kept_pages")

Make = Callable[[], Awaitable[Answer]]

_LIST = ("category", "level", "language", "price", "duration", "kind", "sort", "page")
# What the content of a page depends on, in the order of its canonical address; other parameters never reach it.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "home": (),
    "shop": _LIST,
    "search": ("q", "exact", *_LIST),
    "course-details": ("course", "id"),
    "shop-details": (),
    "about": (),
    "refund-grievance-policy": (),
}
LONGEST_VALUE = 200
# Once a page was made, an older edition of it goes out, marked, when a new one takes longer than this.
PATIENCE_S = 0.3
# A catalogue that moves while a page is made of it lets the page be made again so often.
TRIES = 3
# Deferred parts that are there this soon are drawn with the page; slower ones make it a stream.
PARTS_PATIENCE_S = 0.01


@dataclass(frozen=True)
class Plain:
    """A page that no worker drew: for the moment, and for all who ask in it."""

    body: bytes
    headers: Mapping[str, str]


Made = Kept | Plain | Answer


def find(request: web.Request) -> web.Response | None:
    """The kept page of this very address and edition; the way that nearly every request takes."""
    cache = request.app[keys.PAGE_CACHE]
    if cache is None:
        return None
    site = request.app[keys.SITE]
    kept = cache.find(request.raw_path, site.edition, _age_counts_at(site))
    return None if kept is None else respond(request, cache, kept, is_stale=not site.is_fresh)


def _age_counts_at(site: SiteCache) -> float:
    """With the records away a page is as good as any that could be made: none is too old."""
    return time.monotonic() if site.is_fresh else 0.0


async def make(request: web.Request, load: Make) -> Answer | web.Response:
    """A page made once for all who ask meanwhile and kept, or the loader's answer when it is not one to keep.

    When records or renderers fail, or are slower than PATIENCE_S, and an older page is there, that goes out.
    """
    cache, site, found = request.app[keys.PAGE_CACHE], request.app[keys.SITE], match(request.path)
    key = canonical(found, request.query) if cache is not None and found is not None else None
    if cache is None or key is None:
        return await load()
    old = cache.get(key)
    if old is not None and old.is_valid(site.edition, _age_counts_at(site)):
        cache.hits += 1
        cache.name(request.raw_path, key)
        return respond(request, cache, old, is_stale=not site.is_fresh)
    cache.misses += 1
    making = cache.made_once(key, lambda: _made(request, key, load))
    made = await (making if old is None else _patiently(making))
    if made is None or _has_failed(made):
        # Not made by this process yet, perhaps by another one.
        old = old or await cache.stored(key)
        if old is not None:
            cache.stale += 1
            return respond(request, cache, old, is_stale=True)
    if isinstance(made, Kept):
        cache.name(request.raw_path, key)
        return respond(request, cache, made)
    assert made is not None  # noqa: S101 only patience ends with nothing
    return _undrawn(request, made) if isinstance(made, Plain) else made


async def _patiently(making: Awaitable[Made]) -> Made | None:
    """None when it takes so long that an older page is the better answer."""
    made = None
    # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the outcome.
    # The making itself is shielded and goes on.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            made = await making
    return made


def _has_failed(made: Made) -> bool:
    return isinstance(made, Plain) or (isinstance(made, Loaded) and made.status >= 500)


def canonical(found: Match, query: MultiMapping[str]) -> str | None:
    """The address a page is kept under; None when it is not one to keep."""
    names = PARAMETERS.get(found.page.id)
    if names is None or not found.page.served:
        return None
    pairs = [(name, value[:LONGEST_VALUE]) for name in names for value in sorted(set(query.getall(name, ())))]
    path = found.page.path
    for name, value in found.values.items():
        path = path.replace("{" + name + "}", quote(value[:LONGEST_VALUE], safe=""))
    return f"{path}?{urlencode(pairs, errors='replace')}" if pairs else path


def respond(request: web.Request, cache: PageCache, kept: Kept, *, is_stale: bool = False) -> web.Response:
    """A kept page, or 304 when the visitor has it already. Stale ones are marked: X-Cache."""
    coding = coding_for(request.headers.get("Accept-Encoding", ""))
    body = cache.body(kept, coding)
    headers = kept.headers(coding)
    if is_stale:
        headers = headers.copy()
        headers["X-Cache"] = "stale"
    known = request.headers.get("If-None-Match")
    if known is not None and kept.matches(known):
        bare = {name: value for name, value in headers.items() if name not in ("Content-Type", "Content-Encoding")}
        return web.Response(status=304, headers=bare)
    return web.Response(body=body, headers=headers)


def _undrawn(request: web.Request, plain: Plain) -> web.Response:
    coding = coding_for(request.headers.get("Accept-Encoding", ""))
    headers = {**plain.headers, "Content-Encoding": coding} if coding else plain.headers
    return web.Response(body=pack(plain.body, coding), headers=headers)


async def _made(request: web.Request, key: str, load: Make) -> Made:
    """A kept page; the loader's answer when it is not one to keep; a plain page when no worker could draw it.

    A page is made of several reads. When the catalogue moved between them it is made again, so that nothing old stands
    beside something new. While it moves all the time, what was made last goes out, and is out of date from the start.
    """
    for _ in range(TRIES):
        made = await _made_at_once(request, key, load)
        if not isinstance(made, Kept) or made.edition != OUTDATED:
            break
    return made


async def _made_at_once(request: web.Request, key: str, load: Make) -> Made:
    edition = request.app[keys.SITE].edition
    made = await _drawn(request, key, load, edition)
    if isinstance(made, Kept) and not await _stands_still(request, edition):
        made.edition = OUTDATED
    return made


async def _stands_still(request: web.Request, edition: int) -> bool:
    """Whether the catalogue is still of this edition, in the records too. If not, the site knows of it afterwards."""
    site = request.app[keys.SITE]
    try:
        version = await request.app[keys.DATABASE].glance(catalogue.version)
    except Unavailable:
        return False
    if version != site.state.version:
        await site.refresh()
    return site.edition == edition


async def _drawn(request: web.Request, key: str, load: Make, edition: int) -> Made:
    answer = await load()
    if not isinstance(answer, Loaded) or answer.status != 200:
        return answer
    parts = await _fast_parts(request, answer)
    if parts is None:
        _keep_later(request, key, load)
        return answer
    return await _finished(request, key, answer, parts, edition)


async def _finished(
    request: web.Request, key: str, loaded: Loaded, parts: dict[str, Any], edition: int
) -> Kept | Plain:
    drawing = Finished(request, loaded, key)
    try:
        body = await drawing.bytes(parts)
    finally:
        drawing.stop()
    headers = headers_of(request, loaded, None)
    headers.pop("X-Accel-Buffering", None)
    if body is None:
        return Plain(_plain(drawing, parts), headers)
    headers |= {"Cache-Control": "no-cache", "X-Cache": "kept"}
    return Kept(key, edition, Document(loaded.page, body, headers, orjson.dumps(loaded.head.as_props())))


def _plain(drawing: Finished, parts: dict[str, Any]) -> bytes:
    loaded, shell = drawing.loaded, drawing.shell
    props = {**loaded.props, **parts}
    state = drawing.state([], props, drawing.request.app[keys.SITE].state)
    head = shell.head(loaded.page, loaded.head, None)
    return b"".join((head, *drawing.root(None, props), shell.state(state, None), shell.tail))


async def _fast_parts(request: web.Request, loaded: Loaded) -> dict[str, Any] | None:
    """The deferred parts when all are there at once; None when one is slow or could not be had."""
    if not loaded.deferred:
        return {}
    gathering = asyncio.ensure_future(gather(request, loaded.deferred))
    done, _ = await asyncio.wait({gathering}, timeout=PARTS_PATIENCE_S)
    if not done:
        gathering.cancel()
        return None
    parts = gathering.result()
    return None if None in parts.values() else parts


def _keep_later(request: web.Request, key: str, load: Make) -> None:
    """This visitor gets a stream; the next ones the finished page. Not while parts are slowed down on purpose."""
    cache = request.app[keys.PAGE_CACHE]
    if cache is not None and not request.app[keys.SETTINGS].dev_delay:
        cache.keep_later(key, _slowly(request, key, load))


async def _slowly(request: web.Request, key: str, load: Make) -> Kept | None:
    """Once more from the start, in no hurry: what the visitor's own page was made of may be of two editions."""
    edition = request.app[keys.SITE].edition
    async with asyncio.timeout(2 * PART_DEADLINE_S):
        loaded = await load()
        if not isinstance(loaded, Loaded) or loaded.status != 200:
            return None
        parts = await gather(request, loaded.deferred)
        if None in parts.values():
            return None
        made = await _finished(request, key, loaded, parts, edition)
        return made if isinstance(made, Kept) and await _stands_still(request, edition) else None

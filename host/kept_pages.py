"""Which pages are kept, under which address, and what goes out when records or renderers are away."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote, urlencode

from aiohttp import web
from multidict import MultiMapping

from domain.pages import Match, match
from host import keys
from host.drawing import PART_DEADLINE_S, Finished, gather, headers_of
from host.loaders import Answer, Loaded
from host.page_cache import Kept, coding_for

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
# Deferred parts that are there this soon are drawn with the page; slower ones make it a stream.
PARTS_PATIENCE_S = 0.01


def find(request: web.Request) -> web.Response | None:
    """The kept page of this very address and edition; the way that nearly every request takes."""
    cache = request.app[keys.PAGE_CACHE]
    if cache is None:
        return None
    site = request.app[keys.SITE]
    kept = cache.find(request.raw_path, site.edition)
    return None if kept is None else respond(request, kept, is_stale=not site.is_fresh)


async def make(request: web.Request, load: Make) -> Answer | web.Response:
    """A page made once for all who ask meanwhile and kept, or the loader's answer when it is not one to keep.

    When records or renderers fail, or are slower than PATIENCE_S, and an older edition is there, that goes out.
    """
    cache, found = request.app[keys.PAGE_CACHE], match(request.path)
    key = canonical(found, request.query) if cache is not None and found is not None else None
    if cache is None or key is None:
        return await load()
    cache.misses += 1
    old = cache.get(key)
    if old is not None and old.edition == request.app[keys.SITE].edition:
        cache.name(request.raw_path, key)
        return respond(request, old, is_stale=not request.app[keys.SITE].is_fresh)
    making = cache.made_once(key, lambda: _made(request, key, load))
    if old is None:
        outcome = await making
    else:
        try:
            outcome = await asyncio.wait_for(making, PATIENCE_S)
        except TimeoutError:
            outcome = None
        if outcome is None or _has_failed(outcome):
            cache.stale += 1
            return respond(request, old, is_stale=True)
    if isinstance(outcome, Kept):
        cache.name(request.raw_path, key)
        return respond(request, outcome)
    return await load() if outcome is None else outcome


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


def respond(request: web.Request, kept: Kept, *, is_stale: bool = False) -> web.Response:
    """A kept page, or 304 when the visitor has it already. Stale ones are marked: X-Cache."""
    coding = coding_for(request.headers.get("Accept-Encoding", ""))
    headers = kept.headers(coding)
    if is_stale:
        headers = headers.copy()
        headers["X-Cache"] = "stale"
    known = request.headers.get("If-None-Match")
    if known is not None and kept.matches(known):
        bare = {name: value for name, value in headers.items() if name not in ("Content-Type", "Content-Encoding")}
        return web.Response(status=304, headers=bare)
    return web.Response(body=kept.packed(coding), headers=headers)


async def _made(request: web.Request, key: str, load: Make) -> Kept | Answer | None:
    """A kept page; the loader's answer when it is not one to keep; None when no worker could draw it."""
    edition = request.app[keys.SITE].edition
    answer = await load()
    if not isinstance(answer, Loaded) or answer.status != 200:
        return answer
    parts = await _fast_parts(request, answer)
    if parts is None:
        _keep_later(request, key, answer, edition)
        return answer
    return await _finished(request, key, answer, parts, edition)


async def _finished(request: web.Request, key: str, loaded: Loaded, parts: dict[str, Any], edition: int) -> Kept | None:
    drawing = Finished(request, loaded, key)
    try:
        body = await drawing.bytes(parts)
    finally:
        drawing.stop()
    if body is None:
        return None
    headers = headers_of(request, loaded, None)
    headers.pop("X-Accel-Buffering", None)
    return Kept(loaded.page, body, edition, {**headers, "Cache-Control": "no-cache", "X-Cache": "kept"})


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


def _keep_later(request: web.Request, key: str, loaded: Loaded, edition: int) -> None:
    """This visitor gets a stream; the next ones the finished page. Not while parts are slowed down on purpose."""
    if {name for name, _ in request.app[keys.SETTINGS].dev_delay} & set(loaded.deferred):
        return
    cache = request.app[keys.PAGE_CACHE]
    if cache is not None:
        cache.keep_later(key, _slowly(request, key, loaded, edition))


async def _slowly(request: web.Request, key: str, loaded: Loaded, edition: int) -> Kept | None:
    async with asyncio.timeout(2 * PART_DEADLINE_S):
        parts = await gather(request, loaded.deferred)
        return None if None in parts.values() else await _finished(request, key, loaded, parts, edition)


def _has_failed(outcome: Kept | Answer) -> bool:
    return isinstance(outcome, Loaded) and outcome.status >= 500

"""Which pages are cached, under which key, and what is served while the database or the renderers are unavailable."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from aiohttp import web

from domain.catalogue import listing as catalogue_listing
from domain.errors import ServiceUnavailable
from domain.routes import MAX_VALUE_LENGTH
from host.app_keys import DATABASE
from host.content import LEGAL
from host.http.compression import best_encoding, compress
from host.http.request_keys import SERVED_HEAD
from host.page_cache.entry import OUTDATED, CachedPage, ReadyResponse, RenderedPage
from host.page_cache.memory import PAGE_CACHE, PageCache
from host.rendering.deferred import DEFERRED_DEADLINE_S, load_deferred
from host.rendering.document import CompleteDocument, headers_of
from host.rendering.page_request import Loader, PageRequest
from host.rendering.page_result import LoaderResult, PageResult
from host.site_state import SITE, SiteCache

log = logging.getLogger("coursefront.page_cache")

# Pages that are the same for every visitor who may see the whole catalogue.
CACHED_PAGES = frozenset(
    {
        *("home", "shop", "search", "course-details", "shop-details", "instructor", "about"),
        *("refund-grievance-policy", *LEGAL),
    }
)
# An outdated page is served, marked stale, when rendering its successor takes longer than this.
WAIT_S = 0.3
# How often a page is rendered anew because the catalogue changed meanwhile.
MAX_ATTEMPTS = 3
# Deferred parts that arrive within this time are rendered with the page; slower ones make it a stream.
DEFERRED_WAIT_S = 0.01


@dataclass(frozen=True)
class CacheHit:
    """A page from the cache. `is_stale`: of an older generation, or the database cannot say whether it is current."""

    page: CachedPage
    is_stale: bool = False


@dataclass(frozen=True)
class FallbackPage:
    """A page without React's markup, because no SSR worker rendered it: served to those who wait, never cached."""

    body: bytes
    headers: Mapping[str, str]


RenderOutcome = CachedPage | FallbackPage | LoaderResult


def cached_response(request: web.Request) -> web.Response | None:
    """The current page cached under exactly this URL, as nearly every request finds it."""
    cache = request.app[PAGE_CACHE]
    if cache is None:
        return None
    site = request.app[SITE]
    page = cache.get_fresh(request.raw_path, site.generation, _oldest_valid_at(site))
    return None if page is None else to_response(request, CacheHit(page, is_stale=not site.is_fresh))


def _oldest_valid_at(site: SiteCache) -> float:
    """When pages must be unexpired; while the database is unavailable none is expired, as none can be renewed."""
    return time.monotonic() if site.is_fresh else 0.0


async def get_or_render(
    app: web.Application, request: PageRequest, load: Loader
) -> CacheHit | FallbackPage | LoaderResult:
    """The cached page, or one rendered once for all concurrent requests; the loader's result if it is not cacheable.

    When rendering fails or takes longer than WAIT_S, an older page is the result if there is one.
    """
    cache, key = app[PAGE_CACHE], cache_key(request)
    if cache is None or key is None:
        return await load(request)
    site, cached = app[SITE], cache.get_any(key)
    if cached is not None and cached.is_valid(site.generation, _oldest_valid_at(site)):
        cache.hits += 1
        cache.add_alias(request.raw_path, key)
        return CacheHit(cached, is_stale=not site.is_fresh)
    cache.misses += 1
    rendering = cache.renders.run(key, lambda: _render_current(app, cache, key, request, load))
    outcome = await (rendering if cached is None else _wait_for(rendering))
    if outcome is None or _has_failed(outcome):
        # Another process may have rendered the page that this one has not.
        stale = cached or await cache.get_or_load(key)
        if stale is not None:
            cache.stale += 1
            return CacheHit(stale, is_stale=True)
    if isinstance(outcome, CachedPage):
        cache.add_alias(request.raw_path, key)
        return CacheHit(outcome)
    assert outcome is not None  # noqa: S101 only _wait_for gives None, and then `cached` was returned
    return outcome


async def _wait_for(rendering: Awaitable[RenderOutcome]) -> RenderOutcome | None:
    """None after WAIT_S: an older page is the better response then. The rendering goes on."""
    outcome = None
    # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the outcome.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(WAIT_S):
            outcome = await rendering
    return outcome


def _has_failed(outcome: RenderOutcome) -> bool:
    return isinstance(outcome, FallbackPage) or (isinstance(outcome, PageResult) and outcome.status >= 500)


def cache_key(request: PageRequest) -> str | None:
    """The canonical URL that a page is cached under; None for pages that are not cached."""
    page = request.route
    if page is None or page.id not in CACHED_PAGES or not page.served or page.private:
        return None
    path = page.path
    for name, value in request.values.items():
        path = path.replace("{" + name + "}", quote(value[:MAX_VALUE_LENGTH], safe=""))
    return f"{path}?{urlencode(list(request.query.items()), errors='replace')}" if request.query else path


def to_response(request: web.Request, hit: CacheHit | FallbackPage) -> web.Response:
    """The response with the page, or 304 when the client has it already. X-Cache marks stale pages."""
    encoding = best_encoding(request.headers.get("Accept-Encoding", ""))
    if isinstance(hit, FallbackPage):
        headers = {**hit.headers, "Content-Encoding": encoding} if encoding else hit.headers
        return web.Response(body=compress(hit.body, encoding), headers=headers)
    cache = request.app[PAGE_CACHE]
    assert cache is not None  # noqa: S101 a hit comes from the cache
    if SERVED_HEAD in request:
        request[SERVED_HEAD] = hit.page.head
    body, page_headers, head = cache.encoded(hit.page, encoding)
    known = request.headers.get("If-None-Match")
    if known is None and not hit.is_stale:
        return ReadyResponse(body, page_headers, head)
    if hit.is_stale:
        page_headers = page_headers.copy()
        page_headers["X-Cache"] = "stale"
    if known is not None and hit.page.matches(known):
        bare = {name: value for name, value in page_headers.items() if name not in ("Content-Type", "Content-Encoding")}
        return web.Response(status=304, headers=bare)
    return web.Response(body=body, headers=page_headers)


async def _render_current(
    app: web.Application, cache: PageCache, key: str, request: PageRequest, load: Loader
) -> RenderOutcome:
    """A page of one generation, put into the cache; the loader's result or a fallback page, which are not cached.

    A page is made of several reads. If the catalogue changed between them it is rendered anew, so that no page mixes
    old and new. If it changes every time, the last page is served, and is outdated from the start.
    """
    for _ in range(MAX_ATTEMPTS):
        outcome = await _render(app, key, request, load, DEFERRED_WAIT_S)
        if not isinstance(outcome, CachedPage) or await generation_unchanged(app, outcome.generation):
            break
        outcome.generation = OUTDATED
    if isinstance(outcome, CachedPage):
        cache.put(outcome)
    elif isinstance(outcome, PageResult) and outcome.status == 200 and not request.settings.dev_delay:
        # A deferred part was slow: this visitor gets a stream, the next ones the cached page.
        cache.background.start(key, lambda: _render_in_background(app, cache, key, request, load))
    return outcome


async def generation_unchanged(app: web.Application, generation: int) -> bool:
    """Whether the catalogue in the database is still of this generation. If not, the site state has been refreshed."""
    site = app[SITE]
    try:
        version = await app[DATABASE].select_inline(catalogue_listing.version)
    except ServiceUnavailable:
        return False
    if version != site.state.version:
        await site.refresh()
    return site.generation == generation


async def _render(app: web.Application, key: str, request: PageRequest, load: Loader, wait_s: float) -> RenderOutcome:
    """The loader's result as it is, unless it is a page with status 200 whose deferred parts arrive within `wait_s`."""
    generation = app[SITE].generation
    # The request may have waited, or be rendered once more: it gets the present site state and time.
    request = replace(request, site=app[SITE].state, at=datetime.now(UTC))
    result = await load(request)
    if not isinstance(result, PageResult) or result.status != 200:
        return result
    parts = await _deferred_parts(request, result, wait_s)
    if parts is None:
        return result
    document = CompleteDocument(app, result, key)
    body = await document.html(parts)
    headers = headers_of(app, result, None)
    headers.pop("X-Accel-Buffering", None)
    if not document.is_rendered:
        return FallbackPage(body, headers)
    headers |= {"Cache-Control": "no-cache", "X-Cache": "hit"}
    return CachedPage(key, generation, RenderedPage(result.page, body, headers, orjson.dumps(result.head.as_props())))


async def _deferred_parts(request: PageRequest, result: PageResult, wait_s: float) -> dict[str, Any] | None:
    """The deferred parts when all arrive within `wait_s`; None when one is slower or failed."""
    if not result.deferred:
        return {}
    loading = asyncio.ensure_future(load_deferred(request, result.deferred))
    done, _ = await asyncio.wait({loading}, timeout=wait_s)
    if not done:
        loading.cancel()
        return None
    parts = loading.result()
    return None if None in parts.values() else parts


async def _render_in_background(
    app: web.Application, cache: PageCache, key: str, request: PageRequest, load: Loader
) -> None:
    """Cache the page with all its deferred parts, loaded anew: those of the visitor's page may mix two generations."""
    try:
        async with asyncio.timeout(2 * DEFERRED_DEADLINE_S):
            page = await _render(app, key, request, load, 2 * DEFERRED_DEADLINE_S)
            if isinstance(page, CachedPage) and await generation_unchanged(app, page.generation):
                cache.put(page)
    except Exception as error:
        log.warning("rendering %s in the background failed: %r", key, error)

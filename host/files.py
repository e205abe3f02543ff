"""Static files, drawn pictures, robots.txt and the sitemaps."""

import re
from datetime import UTC, datetime
from functools import lru_cache

from aiohttp import web

from domain import pictures
from domain.catalogue import FACETS
from domain.errors import Unavailable
from host import keys, viewers
from host.conditional import is_known, shown
from host.encoding import accepted
from host.kept import coding_for, pack
from host.settings import ROOT
from host.sitemaps import File

STATIC = ROOT / "static"
# Every name below static/; others may be too long for the file system, or hold what it cannot take.
_NAME = re.compile(r"[\w./-]{1,200}", re.ASCII)
_IMMUTABLE = "public, max-age=31536000, immutable"


async def static(request: web.Request) -> web.StreamResponse:
    """Files below static/. Built files never change under their name; a miss is never kept by a cache."""
    name = request.match_info["tail"]
    if not _NAME.fullmatch(name):
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file() or path.suffix in {".br", ".gz", ".new"}:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    return web.FileResponse(path, headers={"Cache-Control": _caching(name), "Vary": "Accept-Encoding"})


def _caching(name: str) -> str:
    if name.endswith(".json"):
        return "no-cache"
    return _IMMUTABLE if name.startswith("dist/") else "public, max-age=3600"


async def picture(request: web.Request) -> web.Response:
    """A cover drawn from its address alone, so it may be kept for ever."""
    kind, category, slug, variant = (request.match_info[name] for name in ("kind", "category", "slug", "variant"))
    headers = {
        "Cache-Control": _IMMUTABLE,
        "Content-Security-Policy": "default-src 'none'; style-src 'none'",
        "Vary": "Accept-Encoding",
    }
    coding = coding_for(request.headers.get("Accept-Encoding", ""))
    if coding:
        headers["Content-Encoding"] = coding
    body = _drawn(kind, category, slug, int(variant), coding)
    return web.Response(body=body, content_type="image/svg+xml", headers=headers)


@lru_cache(4096)
def _drawn(kind: str, category: str, slug: str, variant: int, coding: str) -> bytes:
    """A list shows two dozen of them: packed they are a third as large."""
    return pack(pictures.picture(kind, category, slug, variant).encode(), coding)


# A second filter, or a second value of one, comes behind an "&": such lists are endless, and none is worth a place in a
# search engine. One filter alone stays open, so that its noindex is read (SEO contract, 4d).
_CLOSED_LISTS = (*(f"/shop?*&{facet}=" for facet in FACETS), "/shop?*sort=")


async def robots(request: web.Request) -> web.Response:
    """Always 200: an error here stops crawlers altogether."""
    settings = request.app[keys.SETTINGS]
    closed = ("/",) if settings.robots == "closed" else ("/api/", "/data/", *_CLOSED_LISTS)
    text = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in closed)
    if settings.robots == "open":
        text += f"\nSitemap: {settings.site_origin}/sitemap.xml\n"
    return web.Response(text=text, headers={"Cache-Control": "public, max-age=300"})


async def sitemap_index(request: web.Request) -> web.Response:
    return await _sitemap(request, await request.app[keys.SITEMAPS].index(request.app[keys.SITE].state))


async def sitemap(request: web.Request) -> web.Response:
    # Who sees a part of the catalogue gets no list of the whole of it.
    if await _is_narrowed(request):
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    made = await request.app[keys.SITEMAPS].file(request.match_info["name"], request.app[keys.SITE].state)
    if made is None:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    return await _sitemap(request, made)


async def _is_narrowed(request: web.Request) -> bool:
    try:
        return await viewers.narrowed(request) is not None
    except Unavailable:
        return True


async def _sitemap(request: web.Request, made: File) -> web.Response:
    takes_gzip = "gzip" in accepted(request.headers.get("Accept-Encoding", ""))
    headers = {
        "ETag": f'"{made.etag}-gzip"' if takes_gzip else f'"{made.etag}"',
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "X-Robots-Tag": "noindex",
    }
    if is_known(request, made.etag, made.changed):
        answer = web.Response(status=304, headers=headers)
    else:
        if takes_gzip:
            headers["Content-Encoding"] = "gzip"
        body = made.packed if takes_gzip else await made.plain()
        answer = web.Response(body=body, content_type="application/xml", charset="utf-8", headers=headers)
    answer.last_modified = shown(made.changed, datetime.now(UTC))
    return answer

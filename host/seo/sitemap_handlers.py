"""GET /sitemap.xml and /sitemaps/…."""

from datetime import UTC, datetime

from aiohttp import web

from domain.errors import ServiceUnavailable
from host.auth import catalogue_scope
from host.http.compression import accepted_encodings
from host.http.conditional import is_not_modified, last_modified
from host.seo.sitemaps import SITEMAPS, File
from host.site_state import SITE


async def sitemap_index(request: web.Request) -> web.Response:
    return await _sitemap(request, await request.app[SITEMAPS].index(request.app[SITE].state))


async def sitemap(request: web.Request) -> web.Response:
    # Visitors who may see a part of the catalogue get no list of all of it.
    if await is_restricted(request):
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    file = await request.app[SITEMAPS].file(request.match_info["name"], request.app[SITE].state)
    if file is None:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    return await _sitemap(request, file)


async def is_restricted(request: web.Request) -> bool:
    try:
        return await catalogue_scope.scope_of(request) is not None
    except ServiceUnavailable:
        return True


async def _sitemap(request: web.Request, file: File) -> web.Response:
    takes_gzip = "gzip" in accepted_encodings(request.headers.get("Accept-Encoding", ""))
    headers = {
        "ETag": f'"{file.etag}-gzip"' if takes_gzip else f'"{file.etag}"',
        "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
        "X-Robots-Tag": "noindex",
    }
    if is_not_modified(request, file.etag, file.changed):
        response = web.Response(status=304, headers=headers)
    else:
        if takes_gzip:
            headers["Content-Encoding"] = "gzip"
        body = file.compressed if takes_gzip else await file.plain()
        response = web.Response(body=body, content_type="application/xml", charset="utf-8", headers=headers)
    response.last_modified = last_modified(file.changed, datetime.now(UTC))
    return response

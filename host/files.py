"""Static files, drawn pictures, robots.txt and the sitemap."""

from functools import lru_cache
from urllib.parse import quote
from xml.sax.saxutils import escape

from aiohttp import web

from domain import catalogue, pages
from domain.pictures import cover, generic_cover
from host import keys
from host.loaders.cards import href_of
from host.loaders.content import read as read_content
from host.settings import ROOT

STATIC = ROOT / "static"
CATEGORIES = {"accounting", "tax", "ethics", "data", "leadership", "languages", "finance", "technology"}
SITEMAP_MOST = 50_000
_IMMUTABLE = "public, max-age=31536000, immutable"


async def static(request: web.Request) -> web.StreamResponse:
    """Files below static/. Built files never change under their name; a miss is never kept by a cache."""
    name = request.match_info["tail"]
    if "\0" in name:
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
    headers = {"Cache-Control": _IMMUTABLE, "Content-Security-Policy": "default-src 'none'; style-src 'none'"}
    return web.Response(body=_drawn(kind, category, slug, int(variant)), content_type="image/svg+xml", headers=headers)


@lru_cache(2048)
def _drawn(kind: str, category: str, slug: str, variant: int) -> bytes:
    if category in CATEGORIES:
        return cover(slug, category, kind, variant).encode()
    return generic_cover(slug, category).encode()


async def robots(request: web.Request) -> web.Response:
    settings = request.app[keys.SETTINGS]
    if settings.robots == "closed":
        text = "User-agent: *\nDisallow: /\n"
    else:
        text = f"User-agent: *\nDisallow: /api/\nDisallow: /data/\n\nSitemap: {settings.site_origin}/sitemap.xml\n"
    return web.Response(text=text, headers={"Cache-Control": "public, max-age=300"})


async def sitemap(request: web.Request) -> web.Response:
    """Every canonical address that search engines may keep, with the time its content really changed."""
    origin = request.app[keys.SETTINGS].site_origin
    found = await request.app[keys.DATABASE].read(catalogue.addresses)
    newest = max((row.updated_at for row in found), default=None)
    changed = newest.strftime("%Y-%m-%d") if newest else None
    entries = [_entry(origin + page.path, _page_date(page.id) or changed) for page in _fixed_pages()]
    entries += [
        _entry(origin + href_of(row.kind, row.id, row.slug), row.updated_at.strftime("%Y-%m-%dT%H:%M:%SZ"))
        for row in found[: SITEMAP_MOST - len(entries)]
    ]
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "".join(entries)
        + "</urlset>\n"
    )
    return web.Response(text=body, content_type="application/xml", headers={"Cache-Control": "public, max-age=60"})


def _fixed_pages() -> list[pages.Page]:
    needs_value = ("course-details", "shop-details")
    return [page for page in pages.table() if page.indexable and page.served and page.id not in needs_value]


def _page_date(page: str) -> str | None:
    return read_content(page).updated if page in ("about", "contact", "refund-grievance-policy") else None


def _entry(address: str, changed: str | None) -> str:
    date = f"<lastmod>{changed}</lastmod>" if changed else ""
    return f"<url><loc>{escape(quote(address, safe=':/?&=%'))}</loc>{date}</url>\n"

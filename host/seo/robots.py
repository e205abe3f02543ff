"""GET /robots.txt."""

from aiohttp import web

from domain.catalogue.listing import FACETS
from host.app_keys import SETTINGS

# A second filter, or a second value of one, follows an "&": there is no end of such lists, and none should be indexed.
# A single filter stays open to crawlers, so that they read its noindex (SEO contract, 4d).
_CLOSED_LISTS = (*(f"/shop?*&{facet}=" for facet in FACETS), "/shop?*sort=")


PROGRAM_CALL = "/api/cart/links"
_FOR_PROGRAMS = (("Products as data", "/products.jsonl"), ("For programs", "/llms.txt"))


async def robots(request: web.Request) -> web.Response:
    """Always 200: an error here stops crawlers altogether."""
    settings = request.app[SETTINGS]
    closed = ("/",) if settings.robots == "closed" else ("/api/", "/data/", *_CLOSED_LISTS)
    text = "User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in closed)
    if settings.robots == "open":
        # The longer rule counts: the one call that programs make for a person.
        text += f"Allow: {PROGRAM_CALL}\n"
        text += f"\nSitemap: {settings.site_origin}/sitemap.xml\n"
        text += "".join(f"# {words}: {settings.site_origin}{path}\n" for words, path in _FOR_PROGRAMS)
    return web.Response(text=text, headers={"Cache-Control": "public, max-age=300"})

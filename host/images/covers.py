"""GET /pictures/…: covers, generated from their URL alone."""

from functools import lru_cache

from aiohttp import web

from artwork.covers import picture
from host.http.compression import best_encoding, compress

# A cover depends on nothing but its URL.
_IMMUTABLE = "public, max-age=31536000, immutable"


async def cover(request: web.Request) -> web.Response:
    kind, category, slug, variant = (request.match_info[name] for name in ("kind", "category", "slug", "variant"))
    headers = {
        "Cache-Control": _IMMUTABLE,
        "Content-Security-Policy": "default-src 'none'; style-src 'none'",
        "Vary": "Accept-Encoding",
    }
    encoding = best_encoding(request.headers.get("Accept-Encoding", ""))
    if encoding:
        headers["Content-Encoding"] = encoding
    body = _compressed_svg(kind, category, slug, int(variant), encoding)
    return web.Response(body=body, content_type="image/svg+xml", headers=headers)


@lru_cache(4096)
def _compressed_svg(kind: str, category: str, slug: str, variant: int, encoding: str) -> bytes:
    """Compressed covers are a third as large, and a list shows two dozen of them."""
    return compress(picture(kind, category, slug, variant).encode(), encoding)

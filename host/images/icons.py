"""GET /favicon.ico and /apple-touch-icon.png: the icon of the site at the addresses where programs ask for one unasked.

Pages name the SVG; these are rendered from it, once for each process.
"""

import asyncio
import struct
from functools import lru_cache

import resvg_py
from aiohttp import web

from config.settings import ROOT

SOURCE = ROOT / "static" / "images" / "favicon.svg"
ICO_PATH = "/favicon.ico"
# Older iPhones ask for the second one first.
PHONE_PATHS = ("/apple-touch-icon.png", "/apple-touch-icon-precomposed.png")
ICO_SIZES, PHONE_SIZE = (16, 32, 48), 180
# Telephones show transparent corners as black ones.
GROUND = "#07404c"
HEADERS = {"Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff"}


async def favicon(_request: web.Request) -> web.Response:
    body = await asyncio.to_thread(_ico)
    return web.Response(body=body, content_type="image/x-icon", headers=HEADERS)


async def phone_icon(_request: web.Request) -> web.Response:
    body = await asyncio.to_thread(_png, PHONE_SIZE, GROUND)
    return web.Response(body=body, content_type="image/png", headers=HEADERS)


@lru_cache(4)
def _png(size: int, background: str | None = None) -> bytes:
    picture = resvg_py.svg_to_bytes(
        svg_path=str(SOURCE), width=size, height=size, background=background, skip_system_fonts=True
    )
    return bytes(picture)


@lru_cache(1)
def _ico() -> bytes:
    """A table of the pictures' sizes and places, then the pictures as PNG."""
    pictures = [_png(size) for size in ICO_SIZES]
    at = 6 + 16 * len(pictures)
    table = struct.pack("<HHH", 0, 1, len(pictures))
    for size, picture in zip(ICO_SIZES, pictures, strict=True):
        table += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return table + b"".join(pictures)

"""P5 of docs/performance.md: what a first view of /shop may weigh. The figures are upper bounds, not aims."""

import re

import brotli
import pytest

from config.settings import ROOT
from tests.journeys.conftest import Visitor

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Brotli bytes, as the build leaves them beside each file. What the minifier names depends on the folder of the build:
# one source gave 77,690 and 77,704.
SCRIPT = 77_824
PAGE_RAW, PAGE_PACKED = 61_440, 8_192
STYLES = 12_000
FONTS = 42_600
# Requests of a page before its first view is complete.
REQUESTS_FOR_SCRIPT = 5
FONT_FILES = re.compile(r'rel="preload" href="([^"]+\.woff2)"')
SCRIPTS = re.compile(r'(?:rel="modulepreload"[^>]* href|<script type="module"[^>]* src)="(/static/[^"]+)"')
STYLE_SHEETS = re.compile(r'rel="stylesheet" href="([^"]+)"')
# Class names of components/ui/table and components/ui/chart, which are for staff.
STAFF_BLOCKS = ("table__scroll", "chart__picture")
OUR_FONT = re.compile(r"/static/dist/f/(?:figtree-latin-wght|bricolage-grotesque-latin-700)-normal-\w+\.woff2")
LOADED_FONTS = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"


async def html_of(visitor: Visitor, path: str) -> str:
    answer = await visitor.context.request.get(path)
    assert answer.status == 200
    return (await answer.body()).decode()


def packed(address: str) -> int:
    return (ROOT / f"{address.lstrip('/')}.br").stat().st_size


async def test_the_files_of_shop_stay_within_their_budget(visitor: Visitor) -> None:
    html = await html_of(visitor, "/shop")
    sizes = {address: packed(address) for address in SCRIPTS.findall(html)}
    assert sum(sizes.values()) <= SCRIPT, sizes
    assert len(sizes) <= REQUESTS_FOR_SCRIPT, sizes
    code = "".join((ROOT / address.lstrip("/")).read_text("utf-8") for address in sizes)
    assert [name for name in STAFF_BLOCKS if name in code] == []
    assert sum(packed(address) for address in STYLE_SHEETS.findall(html)) <= STYLES
    fonts = FONT_FILES.findall(html)
    assert len(fonts) == 2
    assert sum((ROOT / address.lstrip("/")).stat().st_size for address in fonts) <= FONTS
    assert len(html.encode()) <= PAGE_RAW
    assert len(brotli.compress(html.encode(), mode=brotli.MODE_TEXT)) <= PAGE_PACKED


async def test_shop_loads_its_own_scripts_fonts_and_pictures_and_nothing_else(visitor: Visitor) -> None:
    """Toasts, suggestions, the next page and the component page come when they are needed."""
    await visitor.open("/shop")
    await visitor.settled()
    assert set(visitor.requested("script")) == set(SCRIPTS.findall(await html_of(visitor, "/shop")))
    fonts = visitor.requested("font")
    assert len(fonts) == 2
    assert all(OUR_FONT.fullmatch(path) for path in fonts)
    assert {"Figtree", "Bricolage Grotesque"} <= set(await visitor.page.evaluate(LOADED_FONTS))
    pictures = {path for path in visitor.requested("image") if path.endswith(".svg")}
    assert pictures
    for path in pictures:
        answer = await visitor.context.request.get(path, headers={"Accept-Encoding": "br"})
        assert answer.headers["content-encoding"] == "br", path

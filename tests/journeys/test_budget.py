"""P5 of the README's figures: what a first view of /shop may weigh. The figures are upper bounds, not aims."""

import re

import brotli
import pytest

from host.settings import ROOT
from tests.journeys.conftest import Visitor
from tests.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Brotli bytes, as the build leaves them beside each file.
SCRIPT = 80_000
PAGE_RAW, PAGE_PACKED = 60_000, 8_192
STYLES = 12_000
# What any one page may ask for before its first view is complete.
REQUESTS_FOR_SCRIPT = 5


async def html_of(visitor: Visitor, path: str) -> str:
    answer = await visitor.context.request.get(path)
    assert answer.status == 200
    return (await answer.body()).decode()


def packed(address: str) -> int:
    return (ROOT / f"{address.lstrip('/')}.br").stat().st_size


def scripts_of(html: str) -> set[str]:
    return set(re.findall(r'(?:rel="modulepreload"[^>]* href|<script type="module"[^>]* src)="(/static/[^"]+)"', html))


async def test_the_script_that_shop_refers_to_stays_within_its_budget(visitor: Visitor) -> None:
    scripts = scripts_of(await html_of(visitor, "/shop"))
    sizes = {address: packed(address) for address in scripts}
    assert sum(sizes.values()) <= SCRIPT, sizes
    assert len(sizes) <= REQUESTS_FOR_SCRIPT, sizes


async def test_shop_loads_no_script_that_it_does_not_refer_to(visitor: Visitor) -> None:
    """Toasts, suggestions, the next page and the component page come when they are needed."""
    await visitor.open("/shop")
    assert set(visitor.asked("script")) == scripts_of(await html_of(visitor, "/shop"))


async def test_the_document_of_shop_stays_within_its_budget(visitor: Visitor) -> None:
    html = (await html_of(visitor, "/shop")).encode()
    assert len(html) <= PAGE_RAW
    assert len(brotli.compress(html, mode=brotli.MODE_TEXT)) <= PAGE_PACKED


async def test_the_style_sheet_stays_within_its_budget(visitor: Visitor) -> None:
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', await html_of(visitor, "/shop"))
    assert sum(packed(address) for address in sheets) <= STYLES


async def test_every_drawing_is_sent_packed(visitor: Visitor, site: Site) -> None:
    await visitor.open("/")
    drawings = {path for path in visitor.asked("image") if path.endswith(".svg")}
    assert drawings
    for path in drawings:
        answer = await visitor.context.request.get(path, headers={"Accept-Encoding": "br"})
        assert answer.headers["content-encoding"] == "br", path

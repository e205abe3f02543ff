"""Icons at the addresses where browsers, feed readers and telephones ask for them."""

from io import BytesIO

import pytest
from PIL import Image

from host.images import icons
from tests.host.site import SHARED

pytestmark = SHARED


async def test_the_favicon_holds_the_icon_in_three_sizes(site):
    response = await site.get("/favicon.ico")
    assert (response.status, response.content_type) == (200, "image/x-icon")
    assert response.headers["Cache-Control"] == "public, max-age=86400"
    with Image.open(BytesIO(await response.read())) as icon:
        assert (icon.format, icon.info["sizes"]) == ("ICO", {(16, 16), (32, 32), (48, 48)})
        shown = icon.convert("RGBA")
        assert [shown.getpixel(place)[3] for place in ((0, 0), (24, 24))] == [0, 255]


@pytest.mark.parametrize("path", icons.PHONE_PATHS)
async def test_the_icon_of_telephones_is_opaque(site, path):
    response = await site.get(path)
    assert (response.status, response.content_type) == (200, "image/png")
    with Image.open(BytesIO(await response.read())) as icon:
        assert (icon.size, icon.convert("RGBA").getextrema()[3]) == ((180, 180), (255, 255))


async def test_an_icon_is_no_visit(site):
    """Not even of a crawler, as an error page at its address would be."""
    before = len(site.visits())
    for path in (icons.ICO_PATH, *icons.PHONE_PATHS):
        assert (await site.get(path, **{"User-Agent": "Googlebot/2.1"})).status == 200
    assert len(site.visits()) == before

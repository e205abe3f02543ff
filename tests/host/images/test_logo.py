"""Colours of a logo that are black on documents and social cards."""

from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from host import app
from host.images import logo

UNKNOWN = {
    "a custom property": "var(--brand)",
    "oklch": "oklch(0.6 0.1 200)",
    "hwb": "hwb(120 0% 30%)",
    "an alpha behind a slash": "rgb(0 128 0 / 50%)",
    "a mixture": "color-mix(in srgb, red, blue)",
    "a name": "rebeccapurple",
}
KNOWN = ("#0a0", "#00aa0080", "green", "rgb(0, 128, 0)", "rgba(0,128,0,0.5)", "hsl(120, 100%, 25%)")


def write(tmp_path, monkeypatch, colour: str) -> str:
    (tmp_path / "static").mkdir()
    mark = f'<rect width="8" height="8" fill="{colour}"/>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">{mark}</svg>'
    (tmp_path / "static" / "logo.svg").write_text(picture, "utf-8")
    monkeypatch.setattr(logo, "ROOT", tmp_path)
    logo.logo_picture.cache_clear()
    return "/static/logo.svg"


def drawn(address: str) -> tuple[int, ...]:
    with Image.open(BytesIO(logo.logo_picture(address, 8) or b"")) as picture:
        return picture.convert("RGBA").getpixel((4, 4))[:3]


@pytest.mark.parametrize("colour", UNKNOWN.values(), ids=UNKNOWN)
def test_a_colour_that_the_renderer_does_not_know_is_found(tmp_path, monkeypatch, colour):
    address = write(tmp_path, monkeypatch, colour)
    assert (logo.unknown_colours(address), drawn(address)) == ([colour], (0, 0, 0))


@pytest.mark.parametrize("colour", KNOWN)
def test_other_colours_are_none_of_these(tmp_path, monkeypatch, colour):
    address = write(tmp_path, monkeypatch, colour)
    assert logo.unknown_colours(address) == []
    assert drawn(address)[1] > 100


def test_the_shops_own_logo_has_none():
    assert logo.unknown_colours("/static/images/logo.svg") == []


def test_the_start_names_such_colours(tmp_path, monkeypatch, caplog):
    settings: Any = SimpleNamespace(site_logo=write(tmp_path, monkeypatch, "var(--brand)"))
    app._report_logo_colours(settings)
    assert "var(--brand)" in caplog.text

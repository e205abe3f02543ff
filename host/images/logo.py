"""The shop's logo as a picture for documents and social cards: only a file of this site, which is never downloaded."""

import re
from functools import lru_cache
from pathlib import Path

import resvg_py

ROOT = Path(__file__).parents[2]
RASTER = (".png", ".jpg", ".jpeg")
# Colours that browsers know and resvg 0.5 draws black, without an error: functions of newer CSS, custom properties, a
# name, and an alpha behind a slash.
_UNKNOWN_COLOURS = re.compile(
    r"\b(?:var|oklch|oklab|lch|lab|hwb|color|color-mix|light-dark)\([^()]*\)|\b(?:rgba?|hsla?)\([^()]*/[^()]*\)|\brebeccapurple\b",
    re.IGNORECASE,
)


def logo_file(address: str) -> Path | None:
    """The file of a logo below static/; None for one on another site, and for one that is not there."""
    path = (ROOT / address.lstrip("/")).resolve()
    return path if path.is_relative_to(ROOT / "static") and path.is_file() else None


def unknown_colours(address: str) -> list[str]:
    """Colours of an SVG logo that pages show, but documents and social cards draw black."""
    path = logo_file(address)
    if path is None or path.suffix != ".svg":
        return []
    return sorted({match[0] for match in _UNKNOWN_COLOURS.finditer(path.read_text("utf-8", "replace"))})


@lru_cache(4)
def logo_picture(address: str, height: int) -> bytes | None:
    """The logo as PNG or JPEG, an SVG one rendered in `height` pixels; None where there is no such file."""
    path = logo_file(address)
    if path is None:
        return None
    if path.suffix in RASTER:
        return path.read_bytes()
    if path.suffix != ".svg":
        return None
    try:
        return bytes(resvg_py.svg_to_bytes(svg_path=str(path), height=height, skip_system_fonts=True))
    except ValueError:
        # A document without the logo is better than none.
        return None

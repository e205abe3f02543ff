"""URLs that the build wrote for the pages: style sheet, fonts, entry and each page's chunks."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from aiohttp import web

from config.settings import ROOT

DIST = ROOT / "static" / "dist"


@dataclass(frozen=True)
class Assets:
    """`preload`: for each page id the modules that the browser is to fetch at once. `fonts`: for every page.
    `area_entry`: instead of `entry` on pages of areas. `styles`: those of areas and of some pages, by
    name."""

    build: str
    css: tuple[str, ...]
    entry: str
    fonts: tuple[str, ...] = ()
    preload: dict[str, tuple[str, ...]] = field(default_factory=dict)
    area_entry: str = ""
    styles: dict[str, str] = field(default_factory=dict)


ASSETS = web.AppKey("assets", Assets)


def read(folder: Path = DIST) -> Assets:
    """The newest build. Raises FileNotFoundError with what to do when there is none."""
    try:
        manifest: dict[str, Any] = orjson.loads((folder / "assets.json").read_bytes())
    except FileNotFoundError:
        raise FileNotFoundError("static/dist is not built: run `npm run build` or scripts/run") from None
    preload = {page: tuple(files) for page, files in manifest["preload"].items()}
    return Assets(
        manifest["build"],
        tuple(manifest["css"]),
        manifest["entry"],
        tuple(manifest["fonts"]),
        preload,
        manifest["area_entry"],
        manifest["styles"],
    )

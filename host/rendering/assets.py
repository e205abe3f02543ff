"""What the build left for the pages: addresses of the style sheet, the fonts, the entry and each page's chunks."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from host.settings import ROOT

DIST = ROOT / "static" / "dist"


@dataclass(frozen=True)
class Assets:
    """`preload` lists, for each page id, the modules the browser asks for at once; `fonts` is for every first view."""

    build: str
    css: tuple[str, ...]
    entry: str
    fonts: tuple[str, ...] = ()
    preload: dict[str, tuple[str, ...]] = field(default_factory=dict)


def read(folder: Path = DIST) -> Assets:
    """The newest build. Raises FileNotFoundError with what to do when there is none."""
    try:
        found: dict[str, Any] = orjson.loads((folder / "assets.json").read_bytes())
    except FileNotFoundError:
        raise FileNotFoundError("static/dist is not built: run `npm run build` or scripts/run") from None
    preload = {page: tuple(files) for page, files in found["preload"].items()}
    return Assets(found["build"], tuple(found["css"]), found["entry"], tuple(found["fonts"]), preload)

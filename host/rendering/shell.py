"""The document around React's markup: its head from a Jinja template, its state and its tail (docs/contracts.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import aiohttp_jinja2
import jinja2
import orjson
from aiohttp import web
from markupsafe import Markup
from typing_extensions import TypedDict

from config.settings import ROOT, Settings
from domain.display_text import day_text, money_text, price_text
from domain.routes import areas, table
from host.rendering.area_props import AreaProps
from host.rendering.assets import Assets

_ESCAPES = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)
_SPLIT = "<!--root-->"


INDEXED = "index, follow"


class HeadProps(TypedDict):
    """The parts of the document's head that the browser updates on client navigation."""

    title: str
    description: str
    canonical: str | None
    robots: str
    type: str
    image: str | None
    jsonLd: list[dict[str, Any]]


@dataclass(frozen=True)
class Head:
    """The head of a page, as its loader gives it; the browser gets the same on client navigation."""

    title: str
    description: str
    canonical: str | None = None
    robots: str = INDEXED
    type: str = "website"
    image: str | None = None
    json_ld: tuple[dict[str, Any], ...] = field(default_factory=tuple)
    # Without script: after how many seconds the browser goes where, "5; url=/…"; "" for staying.
    refresh: str = ""

    def as_props(self) -> HeadProps:
        return {
            "title": self.title,
            "description": self.description,
            "canonical": self.canonical,
            "robots": self.robots,
            "type": self.type,
            "image": self.image,
            "jsonLd": list(self.json_ld),
        }


def script_json(value: Any) -> bytes:
    """JSON for use inside <script>: without characters that end it in HTML or are no JavaScript."""
    return escape(orjson.dumps(value))


def escape(text: bytes) -> bytes:
    for char, replacement in _ESCAPES:
        # Searching for one byte is many times faster than for three.
        if char[-1:] in text:
            text = text.replace(char, replacement)
    return text


def _texts(settings: Settings) -> dict[str, Callable[..., str]]:
    """What templates write amounts in minor units and ISO times with."""
    form = (settings.shop.currency, settings.locale)
    return {
        "money": lambda minor: money_text(minor, *form),
        "price": lambda minor: price_text(minor, *form),
        "day_text": lambda iso: day_text(datetime.fromisoformat(iso), settings.locale),
    }


class Shell:
    """Head and tail of every page, and the fallback body for when no SSR worker renders."""

    def __init__(self, app: web.Application, settings: Settings, assets: Assets):
        env = aiohttp_jinja2.setup(
            app,
            loader=jinja2.FileSystemLoader(ROOT / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        env.globals.update(settings=settings, assets=assets, **_texts(settings))
        self._assets = assets
        self._area_styles = {area.id: (assets.styles[area.style],) if area.style else () for area in areas()}
        self._page_styles = {page.id: (assets.styles[page.style],) for page in table() if page.style}
        self._page = env.get_template("page.html")
        # Jinja looks globals up in a chain of dictionaries for every page; a single one halves the time of a head.
        self._page.globals = dict(self._page.globals)
        self._fallback = env.get_template("plain.html")
        self._no_script = env.get_template("no_script.html")

    def head(self, page_id: str, head: Head, nonce: str | None, area: AreaProps | None = None) -> bytes:
        """Everything up to and including the opening of #root's parent; flushed before the render."""
        json_ld = [Markup(script_json(block).decode()) for block in head.json_ld]  # noqa: S704 escaped by script_json
        preload = self._assets.preload.get(page_id, ())
        own = self._page_styles.get(page_id, ()) if area is None else self._area_styles[area["id"]]
        styles = (*self._assets.css, *own)
        text = self._page.render(head=head, json_ld=json_ld, nonce=nonce, preload=preload, styles=styles)
        return text.partition(_SPLIT)[0].encode()

    def fallback_page(self, page_id: str, head: Head, props: Mapping[str, Any]) -> bytes:
        """The page's content as plain HTML, for clients without JavaScript while no SSR worker renders."""
        return self._fallback.render(page=page_id, head=head, props=props).encode()

    def no_script_content(self, about: Mapping[str, Any]) -> bytes:
        """A private page's content for browsers whose scripts do not run or do not load; the entry removes it. `about`:
        address, page, props, session, area, and what the page's own part needs besides."""
        return self._no_script.render(about).encode()

    def state(self, state: bytes, nonce: str | None, *, is_area: bool = False) -> bytes:
        """The page's state and the entry, to stand right after #root. `state` is escaped JSON."""
        attribute = f' nonce="{nonce}"'.encode() if nonce else b""
        entry = (self._assets.area_entry if is_area else self._assets.entry).encode()
        return (
            b'<script type="application/json" id="state">' + state + b"</script>"
            b'<script type="module" async src="' + entry + b'"' + attribute + b"></script>"
        )

    def part(self, key: str, value: bytes, nonce: str) -> bytes:
        """A deferred part for the browser, before the markup that needs it. `value` is escaped JSON."""
        call = b"(self.parts=self.parts||[]).push([" + script_json(key) + b"," + value + b"])"
        return b'<script nonce="' + nonce.encode() + b'">' + call + b"</script>"

    tail = b"</body></html>\n"


SHELL = web.AppKey("shell", Shell)

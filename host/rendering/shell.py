"""The document around React's markup: its head from a Jinja template, its state and its tail (docs/contracts.md)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

import aiohttp_jinja2
import orjson
from aiohttp import web
from markupsafe import Markup
from typing_extensions import TypedDict

from config.settings import ROOT, Settings
from domain.display_text import (
    clock_text,
    count_text,
    day_text,
    moment_text,
    money_text,
    percent_text,
    price_text,
    size_text,
)
from domain.routes import areas, public_pages
from host.rendering.area_props import AreaProps
from host.rendering.assets import Assets
from host.rendering.templates import TemplateEnvironment

_ESCAPES = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)
_SPLIT = "<!--root-->"
_NONCE = "{nonce}"


INDEXED = "index, follow"


class JsonText(bytes):
    """JSON without characters that end a <script> or are no JavaScript. As a value it is read rarely."""

    __slots__ = ()

    def value(self) -> Any:
        # A view: orjson takes no subclass of bytes.
        return orjson.loads(memoryview(self))


class JsonProps(Mapping[str, Any]):
    """The props of a page, of which documents need the text alone."""

    def __init__(self, text: JsonText):
        self.text = text

    @cached_property
    def _values(self) -> dict[str, Any]:
        values: dict[str, Any] = self.text.value()
        return values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


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
    # In pixels; a social card unless something else is said.
    image_size: tuple[int, int] = (1200, 630)
    json_ld: tuple[dict[str, Any] | JsonText, ...] = field(default_factory=tuple)
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
            "jsonLd": [block.value() if isinstance(block, JsonText) else block for block in self.json_ld],
        }


def script_json(value: Any) -> bytes:
    """JSON for use inside <script>: without characters that end it in HTML or are no JavaScript."""
    if isinstance(value, JsonText):
        return value
    return value.text if isinstance(value, JsonProps) else escape(json_bytes(value))


def script_text(value: Any) -> JsonText:
    """JSON for use inside <script> (`script_json`), to be used more than once."""
    return value if isinstance(value, JsonText) else JsonText(script_json(value))


def json_bytes(value: Any) -> bytes:
    """JSON of props: times are written as models write them, with a Z."""
    return orjson.dumps(value, option=orjson.OPT_UTC_Z)


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
        "percent": lambda text: percent_text(Decimal(text), settings.locale),
        "size_text": lambda size: size_text(size, settings.locale),
        "count_text": lambda value: count_text(value, settings.locale),
        "clock_text": lambda at: f"{clock_text(_moment(at), settings.locale)} UTC",
        "moment_text": lambda at: moment_text(_moment(at), settings.locale),
        "day_text": lambda at: day_text(_moment(at), settings.locale),
    }


def _moment(at: datetime | str) -> datetime:
    return at if isinstance(at, datetime) else datetime.fromisoformat(at)


class Shell:
    """Head and tail of every page, and the fallback body for when no SSR worker renders."""

    def __init__(self, app: web.Application, settings: Settings, assets: Assets):
        app[aiohttp_jinja2.APP_KEY] = env = TemplateEnvironment(ROOT / "templates")
        env.globals.update(settings=settings, assets=assets, **_texts(settings))
        self._assets = assets
        self._area_styles = {area.id: (assets.styles[area.style],) if area.style else () for area in areas()}
        self._page_styles = {page.id: (assets.styles[page.style],) for page in public_pages() if page.style}
        self._page = env.get_template("page.html")
        self._page_links = env.get_template("page_links.html")
        self._known_links: dict[tuple[str, str | None, bool], Markup] = {}
        self._fallback = env.get_template("plain.html")
        self._no_script = env.get_template("no_script.html")

    def head(self, page_id: str, head: Head, nonce: str | None, area: AreaProps | None = None) -> bytes:
        """Everything up to and including the opening of #root's parent; flushed before the render."""
        json_ld = [Markup(script_json(block).decode()) for block in head.json_ld]  # noqa: S704 escaped by script_json
        links = self._links(page_id, None if area is None else area["id"], nonce is not None)
        if nonce is not None:
            links = Markup(links.replace(_NONCE, nonce))  # noqa: S704 of letters and digits, from this process
        text = self._page.render(head=head, json_ld=json_ld, links=links)
        return text.partition(_SPLIT)[0].encode()

    def _links(self, page_id: str, area_id: str | None, has_nonce: bool) -> Markup:
        """What a page links to, the same each time. _NONCE stands for the nonce."""
        key = (page_id, area_id, has_nonce)
        if key not in self._known_links:
            own = self._page_styles.get(page_id, ()) if area_id is None else self._area_styles[area_id]
            text = self._page_links.render(
                styles=(*self._assets.css, *own),
                preload=self._assets.preload.get(page_id, ()),
                nonce=_NONCE if has_nonce else None,
            )
            self._known_links[key] = Markup(text.rstrip())  # noqa: S704 a template's output
        return self._known_links[key]

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

"""The document around the stream: Jinja prints head and tail, React's markup goes between (docs/wire.md)."""

from dataclasses import asdict, dataclass, field
from typing import Any

import aiohttp_jinja2
import jinja2
import orjson
from aiohttp import web
from markupsafe import Markup

from host.assets import Assets
from host.settings import ROOT, Settings

_ESCAPES = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)
_SPLIT = "<!--root-->"


INDEXED = "index, follow"


@dataclass(frozen=True)
class Head:
    """What a page's loader says about it; the same goes to the browser on client navigation."""

    title: str
    description: str
    canonical: str | None = None
    robots: str = INDEXED
    type: str = "website"
    image: str | None = None
    json_ld: tuple[dict[str, Any], ...] = field(default_factory=tuple)

    def as_props(self) -> dict[str, Any]:
        made = asdict(self)
        made["jsonLd"] = made.pop("json_ld")
        return made


def script_json(value: Any) -> bytes:
    """JSON that may stand inside <script>: no character that HTML or old JavaScript would take for its own."""
    return escaped(orjson.dumps(value))


def escaped(text: bytes) -> bytes:
    for char, escape in _ESCAPES:
        # One byte is looked for many times faster than three.
        if char[-1:] in text:
            text = text.replace(char, escape)
    return text


class Shell:
    """Head and tail of every page, and the plain body for when no worker draws."""

    def __init__(self, app: web.Application, settings: Settings, assets: Assets):
        env = aiohttp_jinja2.setup(
            app,
            loader=jinja2.FileSystemLoader(ROOT / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        env.globals.update(settings=settings, assets=assets, money=_money_formatter(settings))
        self._assets = assets
        self._page = env.get_template("page.html")
        # Jinja looks its globals up in layers, for every page anew; one layer halves the time of a head.
        self._page.globals = dict(self._page.globals)
        self._plain = env.get_template("plain.html")

    def head(self, page_id: str, head: Head, nonce: str | None) -> bytes:
        """Everything up to and including the opening of #root's parent; flushed before the render."""
        json_ld = [Markup(script_json(one).decode()) for one in head.json_ld]  # noqa: S704 escaped by script_json
        preload = self._assets.preload.get(page_id, ())
        text = self._page.render(head=head, json_ld=json_ld, nonce=nonce, preload=preload)
        return text.partition(_SPLIT)[0].encode()

    def plain(self, page_id: str, head: Head, props: dict[str, Any]) -> bytes:
        """The page's content as a plain list, for readers without script while no worker draws."""
        return self._plain.render(page=page_id, head=head, props=props).encode()

    def state(self, state: bytes, nonce: str | None) -> bytes:
        """The page's state and the entry, to stand right after #root. `state` is escaped JSON."""
        mark = f' nonce="{nonce}"'.encode() if nonce else b""
        entry = self._assets.entry.encode()
        return (
            b'<script type="application/json" id="state">' + state + b"</script>"
            b'<script type="module" async src="' + entry + b'"' + mark + b"></script>"
        )

    def part(self, key: str, value: bytes, nonce: str) -> bytes:
        """A deferred part for the browser, before the markup that needs it. `value` is escaped JSON."""
        call = b"(self.parts=self.parts||[]).push([" + script_json(key) + b"," + value + b"])"
        return b'<script nonce="' + nonce.encode() + b'">' + call + b"</script>"

    tail = b"</body></html>\n"


def _money_formatter(settings: Settings) -> Any:
    """Minor units as plain text for the plain body only; people with script see components/ui/format.ts."""

    def money(minor: int) -> str:
        return "Free" if minor == 0 else f"{minor // 100:,}.{minor % 100:02d} {settings.currency}"

    return money

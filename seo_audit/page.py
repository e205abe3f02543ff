"""One response, parsed as a search engine reads it; the rules are in other modules."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

# So much of the text that a screen shows is enough to find a price in.
WORDS_LENGTH = 200_000


@dataclass(frozen=True)
class Link:
    """`path` is None for another site."""

    href: str
    path: str | None
    is_followed: bool


class Page:
    """`path`: path and query of the request. `origin`: the site's public origin."""

    def __init__(self, path: str, status: int, headers: Mapping[str, str], body: bytes, origin: str):
        self.path, self.status, self.headers, self.size = path, status, headers, len(body)
        self._origin = origin
        is_html = headers.get("Content-Type", "").startswith("text/html")
        self._tree = LexborHTMLParser(body) if is_html else None

    @property
    def is_html(self) -> bool:
        return self._tree is not None

    @cached_property
    def route(self) -> str:
        return urlsplit(self.path).path

    @cached_property
    def params(self) -> list[tuple[str, str]]:
        return parse_qsl(urlsplit(self.path).query, keep_blank_values=True)

    @property
    def location(self) -> str:
        """The target of a redirect, as path and query when it is on this site."""
        return self.local_path(self.headers.get("Location", "")) or self.headers.get("Location", "")

    def local_path(self, address: str) -> str | None:
        """Path and query of an address on the page; None for another site."""
        return local_path(address, self._origin, self.path) if address else None

    def all(self, selector: str) -> list[LexborNode]:
        return [] if self._tree is None else self._tree.css(selector)

    def attributes(self, selector: str, name: str) -> list[str]:
        return [node.attributes.get(name) or "" for node in self.all(selector)]

    @cached_property
    def titles(self) -> list[str]:
        return [node.text().strip() for node in self.all("head > title")]

    @property
    def title(self) -> str:
        return self.titles[0] if self.titles else ""

    @cached_property
    def descriptions(self) -> list[str]:
        return self.attributes('head > meta[name="description"]', "content")

    @property
    def description(self) -> str:
        return self.descriptions[0] if self.descriptions else ""

    @cached_property
    def canonicals(self) -> list[str]:
        return self.attributes('link[rel="canonical"]', "href")

    @cached_property
    def canonical(self) -> str:
        return self.canonicals[0] if self.canonicals else ""

    @cached_property
    def robots(self) -> str:
        return ", ".join(self.attributes('meta[name="robots"]', "content")).lower()

    @property
    def robots_header(self) -> str:
        return self.headers.get("X-Robots-Tag", "").lower()

    @property
    def is_noindex(self) -> bool:
        return "noindex" in self.robots or "noindex" in self.robots_header

    @property
    def is_indexable(self) -> bool:
        """Whether search engines may index the page."""
        return self.status == 200 and self.is_html and not self.is_noindex

    def meta(self, name: str) -> str:
        """The content of a meta by its name or property."""
        contents = self.attributes(f'meta[property="{name}"]', "content")
        contents = contents or self.attributes(f'meta[name="{name}"]', "content")
        return contents[0].strip() if contents else ""

    @cached_property
    def headings(self) -> list[str]:
        """Without those of the part for browsers without script, which replaces a loading view of the same title."""
        without_script = {node.mem_id for node in self.all("#no-script h1")}
        return [node.text(separator=" ").strip() for node in self.all("h1") if node.mem_id not in without_script]

    @cached_property
    def json_ld(self) -> list[Any]:
        """Blocks in document order; None for one that is not JSON."""
        return [_parse_json(node.text()) for node in self.all('script[type="application/ld+json"]')]

    def of_type(self, name: str) -> list[dict[str, Any]]:
        return [block for block in self.json_ld if isinstance(block, dict) and block.get("@type") == name]

    @cached_property
    def prices(self) -> list[tuple[str, str]]:
        """Prices of the page's product: `data-price` in minor units, and the visible text."""
        return [(node.attributes.get("data-price") or "", node.text().strip()) for node in self.all("[data-price]")]

    @cached_property
    def links(self) -> list[Link]:
        links = []
        for node in self.all("a[href]"):
            href = (node.attributes.get("href") or "").strip()
            is_followed = "nofollow" not in (node.attributes.get("rel") or "").split()
            links.append(Link(href, local_path(href, self._origin, self.path), is_followed))
        return links


def local_path(href: str, origin: str, base: str) -> str | None:
    """Path and query, without fragment, of an address on this site; None for any other."""
    try:
        address = urldefrag(urljoin(origin + base, href)).url
        parts = urlsplit(address)
    except ValueError:
        return None
    if f"{parts.scheme}://{parts.netloc}" != origin:
        return None
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None

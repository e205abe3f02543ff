"""A document as its readers see it: the head's fields, the structured data, the state, the markup inside #root."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

ROOT = re.compile(r'<div id="root"[^>]*>(.*?)</div><script type="application/json" id="state">', re.DOTALL)


PUSH = "(self.parts=self.parts||[]).push("


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self.title = ""
        self.words: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        self.elements.append((tag, about))
        self._inside = tag if tag in ("script", "title", "style") else ""
        if tag == "script":
            self.scripts.append((about, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            about, text = self.scripts[-1]
            self.scripts[-1] = (about, text + data)
        elif self._inside == "title":
            self.title += data
        elif data.strip():
            self.words.append(" ".join(data.split()))


@dataclass(frozen=True)
class Document:
    """One answered page."""

    status: int
    headers: Mapping[str, str]
    html: str
    _reader: _Reader = field(repr=False)

    @property
    def title(self) -> str:
        return self._reader.title

    def meta(self, name: str) -> str | None:
        """The content of <meta name=…> or <meta property=…>."""
        contents = [
            about["content"]
            for tag, about in self._reader.elements
            if tag == "meta" and name in (about.get("name"), about.get("property"))
        ]
        assert len(contents) < 2, f"{name} occurs {len(contents)} times"
        return contents[0] if contents else None

    @property
    def canonical(self) -> str | None:
        links = self.all("link", rel="canonical")
        assert len(links) < 2
        return links[0]["href"] if links else None

    @property
    def json_ld(self) -> list[dict[str, Any]]:
        return [json.loads(text) for about, text in self.scripts if about.get("type") == "application/ld+json"]

    def json_ld_of(self, kind: str) -> dict[str, Any]:
        (only_block,) = [block for block in self.json_ld if block["@type"] == kind]
        return only_block

    @property
    def scripts(self) -> list[tuple[dict[str, str], str]]:
        return self._reader.scripts

    @property
    def state(self) -> dict[str, Any]:
        (text,) = [text for about, text in self.scripts if about.get("id") == "state"]
        return json.loads(text)

    @property
    def parts(self) -> dict[str, Any]:
        """The deferred parts that came in the same response, in their order."""
        calls = [text.removeprefix(PUSH).removesuffix(")") for _, text in self.scripts if text.startswith(PUSH)]
        return dict(json.loads(call) for call in calls)

    @property
    def root(self) -> str:
        """The markup inside #root."""
        match = ROOT.search(self.html)
        assert match is not None, self.html
        return match[1]

    @property
    def is_rendered(self) -> bool:
        (root,) = self.all("div", id="root")
        return root.get("data-rendered") != "no"

    def all(self, tag: str, **about: str) -> list[dict[str, str]]:
        """The attributes of every element of this kind that has these."""
        return [element for name, element in self._reader.elements if name == tag and about.items() <= element.items()]

    @property
    def links(self) -> list[str]:
        return [about["href"] for about in self.all("a") if "href" in about]

    @property
    def words(self) -> list[str]:
        """Every piece of text outside scripts, in order."""
        return self._reader.words


def read(status: int, headers: Mapping[str, str], html: str) -> Document:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return Document(status, headers, html, reader)

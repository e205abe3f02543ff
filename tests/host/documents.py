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
        found = [
            about["content"]
            for tag, about in self._reader.elements
            if tag == "meta" and name in (about.get("name"), about.get("property"))
        ]
        assert len(found) < 2, f"{name} stands {len(found)} times"
        return found[0] if found else None

    @property
    def canonical(self) -> str | None:
        found = self.all("link", rel="canonical")
        assert len(found) < 2
        return found[0]["href"] if found else None

    @property
    def json_ld(self) -> list[dict[str, Any]]:
        return [json.loads(text) for about, text in self.scripts if about.get("type") == "application/ld+json"]

    def json_ld_of(self, kind: str) -> dict[str, Any]:
        (found,) = [one for one in self.json_ld if one["@type"] == kind]
        return found

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
        return dict(json.loads(one) for one in calls)

    @property
    def root(self) -> str:
        """The markup inside #root."""
        found = ROOT.search(self.html)
        assert found is not None, self.html
        return found[1]

    @property
    def is_rendered(self) -> bool:
        (root,) = self.all("div", id="root")
        return root.get("data-rendered") != "no"

    def all(self, tag: str, **about: str) -> list[dict[str, str]]:
        """The attributes of every element of this kind that has these."""
        return [found for name, found in self._reader.elements if name == tag and about.items() <= found.items()]

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

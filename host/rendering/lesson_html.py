"""The Markdown of lessons as HTML, with pictures of FILES_DIR: cached by its text, bounded in bytes.

A picture is written `![what it shows](/files/{sha256})`. Its address in the page is a link of its learner, so the
cached HTML holds the digest, and the link is put in on each read.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping

import nh3
from markdown_it import MarkdownIt

from host.rendering.markdown import LINK_REL, TAGS

MAX_BYTES = 16 * 2**20
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
_PICTURE = re.compile(r'<img src="/files/([0-9a-f]{64})"( alt="[^"]*")?>|<img[^>]*>')


class LessonHTML:
    """The newest texts that were read, at most `max_bytes` of them with their HTML."""

    def __init__(self, max_bytes: int = MAX_BYTES):
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cached: OrderedDict[str, str] = OrderedDict()

    def render(self, text: str, links: Mapping[str, str]) -> str:
        """Sanitised HTML. `links`: SHA-256 -> address; a picture without one is left out, with its description."""
        html = self._cached.get(text)
        if html is None:
            html = self._add(text)
        else:
            self._cached.move_to_end(text)
        return _PICTURE.sub(lambda match: _picture(match, links), html) if "<img" in html else html

    @property
    def bytes(self) -> int:
        return self._bytes

    def _add(self, text: str) -> str:
        html = self._cached[text] = _render(text)
        self._bytes += len(text) + len(html)
        while self._bytes > self._max_bytes and self._cached:
            old, dropped = self._cached.popitem(last=False)
            self._bytes -= len(old) + len(dropped)
        return html


LESSON_HTML = LessonHTML()


def _picture(match: re.Match[str], links: Mapping[str, str]) -> str:
    address = links.get(match[1] or "")
    if address is None:
        return ""
    return f'<img src="{address.replace("&", "&amp;")}"{match[2] or ""} loading="lazy">'


def _render(text: str) -> str:
    html = _markdown.render(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    return nh3.clean(
        html,
        tags=TAGS | {"img"},
        attributes={"a": {"href"}, "img": {"src", "alt"}},
        url_schemes={"http", "https", "mailto"},
        link_rel=LINK_REL,
    ).strip()

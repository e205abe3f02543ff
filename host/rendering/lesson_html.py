"""The Markdown of lessons as HTML, with pictures of FILES_DIR: cached by its text, bounded in bytes.

A picture is written `![what it shows](/files/{sha256})`. Its address in the page is a link of its learner, so the
cached HTML holds the digest, and the link is put in on each read.
"""

import re
import sys
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from host.rendering.markdown import MARKDOWN, clean

MAX_BYTES = 16 * 2**20
# Memory of an entry of the cache beside its two texts.
ENTRY_BYTES = 250
_PICTURE = re.compile(r'<img src="/files/([0-9a-f]{64})"( alt="[^"]*")?>|<img[^>]*>')


class _Rendered(NamedTuple):
    """To look for pictures in a text takes longer than all else that is done with it."""

    html: str
    has_pictures: bool


class LessonHTML:
    """The newest texts that were read: with their HTML they hold at most `max_bytes` of memory."""

    def __init__(self, max_bytes: int = MAX_BYTES):
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cached: OrderedDict[str, _Rendered] = OrderedDict()

    def render(self, text: str, links: Mapping[str, str]) -> str:
        """Sanitised HTML. `links`: SHA-256 -> address; a picture without one is left out, with its description."""
        cached = self._cached.get(text)
        if cached is None:
            cached = self._add(text)
        else:
            self._cached.move_to_end(text)
        html = cached.html
        return _PICTURE.sub(lambda match: _picture(match, links), html) if cached.has_pictures else html

    @property
    def bytes(self) -> int:
        return self._bytes

    def _add(self, text: str) -> _Rendered:
        html = _render(text)
        rendered = self._cached[text] = _Rendered(html, "<img" in html)
        self._bytes += _held_bytes(text, rendered)
        while self._bytes > self._max_bytes and self._cached:
            self._bytes -= _held_bytes(*self._cached.popitem(last=False))
        return rendered


def _held_bytes(text: str, rendered: _Rendered) -> int:
    """Characters beyond Latin-1 make each of a text take two or four bytes."""
    return sys.getsizeof(text) + sys.getsizeof(rendered.html) + ENTRY_BYTES


LESSON_HTML = LessonHTML()


def _picture(match: re.Match[str], links: Mapping[str, str]) -> str:
    address = links.get(match[1] or "")
    if address is None:
        return ""
    return f'<img src="{address.replace("&", "&amp;")}"{match[2] or ""} loading="lazy">'


def _render(text: str) -> str:
    return clean(MARKDOWN.render(text), frozenset({"img"}), {"img": {"src", "alt"}})

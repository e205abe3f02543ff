"""One finished page as bytes, in the codings that visitors take, with its headers ready."""

import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

import brotli
from multidict import CIMultiDict

from host.encoding import accepted
from host.server import PROTECTIVE

# What changes without the catalogue (the year, popular searches) is on a page after this.
LIFE_S = 600.0
# An edition that no page is ever asked for in: kept only to be there when nothing else is.
OUTDATED = -1
BROTLI_QUALITY = 5
GZIP_LEVEL = 6
# An eighth smaller, at twenty times the work: for pages that are sent often.
WELL_QUALITY = 10
# What a page weighs beside its bytes: headers in every coding, its place in the tables.
OVERHEAD = 4_096


@dataclass(frozen=True)
class Document:
    """A finished page: id in routes.json, bytes, headers, and as JSON what its loader said for the document's head."""

    page: str
    body: bytes
    headers: Mapping[str, str]
    head: bytes = b"null"


class Kept:
    """A document of one edition of the catalogue, under its canonical address `key`.

    It is held packed, an eighth of its bytes: nearly everybody takes br. Other forms are made when first asked for.
    """

    __slots__ = ("_base", "_etag", "_headers", "_until", "edition", "forms", "head", "key", "page", "sent", "size")

    def __init__(self, key: str, edition: int, document: Document):
        self.key, self.edition, self.page, self.head = key, edition, document.page, document.head
        self.sent = 0
        self._until = time.monotonic() + LIFE_S
        self._etag = sha256(document.body).hexdigest()[:20]
        self._base = CIMultiDict({**PROTECTIVE, **document.headers})
        self.forms = {"br": pack(document.body, "br")}
        self._headers = {"br": self._headers_of("br", "-br")}
        self.size = OVERHEAD + len(key) + len(document.head) + len(self.forms["br"])

    @property
    def etag(self) -> str:
        """The same for the same bytes, in whatever coding."""
        return self._etag

    @property
    def base_headers(self) -> dict[str, str]:
        """Those of the document, whatever its coding."""
        return {str(name): value for name, value in self._base.items()}

    def is_valid(self, edition: int, at: float) -> bool:
        """Whether it is of this edition and, at `at` (time.monotonic()), still young enough."""
        return self.edition == edition and at < self._until

    def headers(self, coding: str) -> CIMultiDict[str]:
        """Of a form that is there."""
        return self._headers[coding]

    def form(self, coding: str) -> bytes:
        """The page in a coding: br, gzip or "" for none; `forms` and `size` grow with one that was not there."""
        found = self.forms.get(coding)
        if found is None:
            found = self.forms[coding] = pack(self.unpacked(), coding)
            self._headers[coding] = self._headers_of(coding, f"-{coding}" if coding else "")
            self.size += len(found)
        return found

    def unpacked(self) -> bytes:
        return bytes(brotli.decompress(self.forms["br"]))

    def packed_well(self) -> Callable[[], None]:
        """For another thread: packs the page as small as it gets. What comes back puts that in place."""
        small = bytes(brotli.compress(self.unpacked(), mode=brotli.MODE_TEXT, quality=WELL_QUALITY))
        return lambda: self._replace(small)

    def _replace(self, small: bytes) -> None:
        """Other bytes need another ETag."""
        self.size += len(small) - len(self.forms["br"])
        self.forms["br"] = small
        self._headers["br"] = self._headers_of("br", "-brs")

    def _headers_of(self, coding: str, mark: str) -> CIMultiDict[str]:
        made = self._base.copy()
        made["ETag"] = f'"{self._etag}{mark}"'
        if coding:
            made["Content-Encoding"] = coding
        return made

    def matches(self, if_none_match: str) -> bool:
        """Whether the visitor already has this page, in whatever coding."""
        return if_none_match.strip() == "*" or f'"{self._etag}' in if_none_match


def pack(body: bytes, coding: str) -> bytes:
    """A body in one of the codings of `coding_for`; "" leaves it as it is."""
    if not coding:
        return body
    if coding == "br":
        return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=BROTLI_QUALITY))
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()


_CODINGS: dict[str, str] = {}


def coding_for(accept: str) -> str:
    """br, gzip or "" for an Accept-Encoding header; browsers send a handful of different ones."""
    found = _CODINGS.get(accept)
    if found is None:
        codings = accepted(accept) if accept else set()
        found = "br" if "br" in codings else "gzip" if "gzip" in codings else ""
        if len(_CODINGS) < 1_000:
            _CODINGS[accept] = found
    return found

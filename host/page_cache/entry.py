"""One rendered page as bytes, in the encodings that clients accept, with its headers ready."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

import brotli
from multidict import CIMultiDict

from host.http.compression import compress
from host.http.server import SECURITY_HEADERS

# What changes without the catalogue (the year, popular searches) is on a page after this.
MAX_AGE_S = 600.0
# No generation has this number: the page is served only when there is no other.
OUTDATED = -1
# An eighth smaller, at twenty times the work: for pages that are sent often.
RECOMPRESS_QUALITY = 10
# What a page takes in memory beside its bytes: headers in every encoding, its entries in the tables.
OVERHEAD = 4_096


@dataclass(frozen=True)
class RenderedPage:
    """A complete page: id in routes.json, HTML, headers, and its loader's `Head` as JSON for client navigation."""

    page: str
    body: bytes
    headers: Mapping[str, str]
    head: bytes = b"null"


class CachedPage:
    """A document of one generation of the catalogue, under its canonical URL `key`.

    It is held as brotli, an eighth of its size, which nearly every client accepts. Other encodings are made when first
    needed.
    """

    __slots__ = ("_base", "_etag", "_expires_at", "encodings", "generation", "head", "key", "page", "sent", "size")

    def __init__(self, key: str, generation: int, document: RenderedPage):
        self.key, self.generation, self.page, self.head = key, generation, document.page, document.head
        self.sent = 0
        self._expires_at = time.monotonic() + MAX_AGE_S
        self._etag = sha256(document.body).hexdigest()[:20]
        self._base = CIMultiDict({**SECURITY_HEADERS, **document.headers})
        # By name of the encoding: the body and the headers that belong to it.
        self.encodings = {"br": (compress(document.body, "br"), self._headers("br", "-br"))}
        self.size = OVERHEAD + len(key) + len(document.head) + len(self.brotli_body)

    @property
    def etag(self) -> str:
        """The same for the same HTML, in every encoding."""
        return self._etag

    @property
    def base_headers(self) -> dict[str, str]:
        """The document's headers without those of an encoding."""
        return {str(name): value for name, value in self._base.items()}

    @property
    def brotli_body(self) -> bytes:
        return self.encodings["br"][0]

    def is_valid(self, generation: int, at: float) -> bool:
        """Whether the page is of this generation and has not expired at `at` (time.monotonic())."""
        return self.generation == generation and at < self._expires_at

    def encoded(self, encoding: str) -> tuple[bytes, CIMultiDict[str]]:
        """Body and headers in an encoding: br, gzip or "" for none. A new one adds to `size`."""
        result = self.encodings.get(encoding)
        if result is None:
            body = compress(self.html(), encoding)
            result = body, self._headers(encoding, f"-{encoding}" if encoding else "")
            self.encodings[encoding] = result
            self.size += len(body)
        return result

    def html(self) -> bytes:
        return bytes(brotli.decompress(self.brotli_body))

    def recompress(self) -> Callable[[], None]:
        """Compress the page as small as possible, in another thread; the returned function replaces the body."""
        smaller = bytes(brotli.compress(self.html(), mode=brotli.MODE_TEXT, quality=RECOMPRESS_QUALITY))
        return lambda: self._replace_brotli(smaller)

    def _replace_brotli(self, smaller: bytes) -> None:
        self.size += len(smaller) - len(self.brotli_body)
        # Other bytes need another ETag.
        self.encodings["br"] = smaller, self._headers("br", "-brs")

    def _headers(self, encoding: str, etag_suffix: str) -> CIMultiDict[str]:
        headers = self._base.copy()
        headers["ETag"] = f'"{self._etag}{etag_suffix}"'
        if encoding:
            headers["Content-Encoding"] = encoding
        return headers

    def matches(self, if_none_match: str) -> bool:
        """Whether the client already has this page, in any encoding."""
        return if_none_match.strip() == "*" or f'"{self._etag}' in if_none_match

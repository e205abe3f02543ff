"""One rendered page as bytes, in the encodings that clients accept, with its headers ready.

Uses internals of aiohttp 3.14 (pinned below 3.15); tests/host/page_cache/test_ready_response.py fails if they change.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import brotli
from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import HttpVersion11
from aiohttp.http_writer import StreamWriter, _serialize_headers
from aiohttp.web_request import BaseRequest
from multidict import CIMultiDict

from host.app_keys import SETTINGS
from host.http import request_keys
from host.http.compression import compress
from host.http.server import HSTS, SECURITY_HEADERS
from host.search_log import RESULTS

# What changes without the catalogue (the year, popular searches) is on a page after this.
MAX_AGE_S = 600.0
# No generation has this number: the page is served only when there is no other.
OUTDATED = -1
# An eighth smaller, at twenty times the work: for pages that are sent often.
RECOMPRESS_QUALITY = 10
# What a page takes in memory beside its bytes: headers in every encoding, its entries in the tables.
OVERHEAD = 8_192


@dataclass(frozen=True)
class RenderedPage:
    """A complete page: id in routes.json, HTML, headers, and its loader's `Head` as JSON for client navigation."""

    page: str
    body: bytes
    headers: Mapping[str, str]
    head: bytes = b"null"


class EncodedPage(NamedTuple):
    """A page in one encoding: its body, the headers that belong to it, and these as bytes."""

    body: bytes
    headers: CIMultiDict[str]
    head: bytes


class CachedPage:
    """A document of one generation of the catalogue, under its canonical URL `key`.

    It is held as brotli, an eighth of its size, which nearly every client accepts. Other encodings are made when first
    needed.
    """

    __slots__ = (
        *("_base", "_etag", "_expires_at", "encodings", "generation", "head"),
        *("is_search", "key", "page", "sent", "size"),
    )

    def __init__(self, key: str, generation: int, document: RenderedPage):
        self.key, self.generation, self.page, self.head = key, generation, document.page, document.head
        self.sent, self.is_search = 0, RESULTS in document.headers
        self._expires_at = time.monotonic() + MAX_AGE_S
        self._etag = sha256(document.body).hexdigest()[:20]
        self._base = CIMultiDict({**SECURITY_HEADERS, **document.headers})
        # By name of the encoding.
        self.encodings = {"br": self._encoded(compress(document.body, "br"), "br", "-br")}
        self.size = OVERHEAD + len(key) + len(document.head) + len(self.brotli_body)

    @property
    def etag(self) -> str:
        """The ETag of the HTML, equal in every encoding."""
        return self._etag

    @property
    def base_headers(self) -> dict[str, str]:
        """The document's headers without those of an encoding."""
        return {str(name): value for name, value in self._base.items()}

    @property
    def brotli_body(self) -> bytes:
        return self.encodings["br"].body

    def is_valid(self, generation: int, at: float) -> bool:
        """Whether the page is of this generation and has not expired at `at` (time.monotonic())."""
        return self.generation == generation and at < self._expires_at

    def encoded(self, encoding: str) -> EncodedPage:
        """Body and headers in an encoding: br, gzip or "" for none. A new one adds to `size`."""
        result = self.encodings.get(encoding)
        if result is None:
            body = compress(self.html(), encoding)
            result = self._encoded(body, encoding, f"-{encoding}" if encoding else "")
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
        self.encodings["br"] = self._encoded(smaller, "br", "-brs")

    def _encoded(self, body: bytes, encoding: str, etag_suffix: str) -> EncodedPage:
        headers = self._base.copy()
        headers["ETag"] = f'"{self._etag}{etag_suffix}"'
        if encoding:
            headers["Content-Encoding"] = encoding
        return EncodedPage(body, headers, ready_head(headers, len(body)))

    def matches(self, if_none_match: str) -> bool:
        """Whether the client already has this page, in any encoding."""
        return if_none_match.strip() == "*" or f'"{self._etag}' in if_none_match


_HSTS = f"\r\nStrict-Transport-Security: {HSTS}"


def ready_head(headers: CIMultiDict[str], length: int) -> bytes:
    """The head of a 200 with these headers and a body of this length, up to the headers of the request."""
    return _serialize_headers("HTTP/1.1 200 OK", headers)[:-2] + f"Content-Length: {length}\r\n".encode()


def own_head(request_id: str, is_secure: bool) -> bytes:
    """The rest of a page's head, which each response has of its own."""
    secure = _HSTS if is_secure else ""
    return (
        f"Date: {rfc822_formatted_time()}\r\nX-Request-Id: {request_id}\r\n"
        f'Server-Timing: request;desc="{request_id}"{secure}\r\n\r\n'
    ).encode()


class ReadyResponse(web.Response):
    """A page for a GET; it is HTML. `headers` are those of `head`, and are not changed."""

    def __init__(self, body: bytes, headers: CIMultiDict[str], head: bytes):
        super().__init__(body=body)
        self._headers, self._head = headers, head

    async def _start(self, request: BaseRequest) -> AbstractStreamWriter:
        """What `set_security_headers` and aiohttp would add one by one."""
        writer = request._payload_writer
        is_usual = request.version == HttpVersion11 and request.keep_alive and not self._must_be_empty_body
        if not is_usual or not isinstance(writer, StreamWriter) or not isinstance(request, web.Request):
            self._headers = self._headers.copy()
            return await super()._start(request)
        self._req, self._payload_writer, self._keep_alive = request, writer, True
        writer._headers_buf = self._head + own_head(request[request_keys.REQUEST_ID], request.app[SETTINGS].is_secure)
        return writer

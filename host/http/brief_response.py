"""A short answer whose head is ready, sent with its body in one write, without what aiohttp does header by header.

Uses internals of aiohttp 3.14 (pinned below 3.15); tests/host/api/test_visit_fast_path.py fails if they change.
"""

from collections.abc import Mapping
from functools import lru_cache

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import HttpVersion11
from aiohttp.http_writer import StreamWriter, _serialize_headers
from aiohttp.web_request import BaseRequest
from multidict import CIMultiDict

from host.http import request_keys
from host.http.server import HSTS, SECURITY_HEADERS


def is_for(request: web.Request) -> bool:
    """Whether a BriefResponse may answer: the connection stays open, and the call sets no cookie."""
    return request.version == HttpVersion11 and request.keep_alive and request_keys.COOKIES not in request


@lru_cache(16)
def ready_head(status_line: str, headers: tuple[tuple[str, str], ...], length: int, *, is_secure: bool) -> bytes:
    """The head of an answer with these headers and a body of this length, up to the headers of the request."""
    secure: Mapping[str, str] = {"Strict-Transport-Security": HSTS} if is_secure else {}
    everything = CIMultiDict({**SECURITY_HEADERS, **secure, **dict(headers), "Content-Length": str(length)})
    return _serialize_headers(f"HTTP/1.1 {status_line}", everything)[:-2]


class BriefResponse(web.StreamResponse):
    """`head`: of `ready_head`, with this status. Only for requests of which `is_for` is true."""

    def __init__(self, status: int, head: bytes, body: bytes):
        super().__init__(status=status)
        self._head, self._text = head, body

    async def prepare(self, request: BaseRequest) -> AbstractStreamWriter | None:
        """Send everything: what `set_security_headers` and aiohttp would add is in the head."""
        writer = request._payload_writer
        if self._eof_sent or not isinstance(writer, StreamWriter):
            return None
        own = f"Date: {rfc822_formatted_time()}\r\nX-Request-Id: {request[request_keys.REQUEST_ID]}\r\n\r\n"
        self._keep_alive = self._eof_sent = True
        self._body_length = len(self._text)
        writer._write(b"%b%b%b" % (self._head, own.encode(), self._text))
        await writer.drain()
        return writer

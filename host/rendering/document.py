"""HTML documents: head, React's markup, state and tail; complete ones here, streams in streamed_document.py."""

import logging
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from config.logs import REQUEST_IDS
from host.app_keys import SETTINGS
from host.http.compression import encoder_for
from host.http.content_security import CONTENT_POLICIES
from host.rendering.deferred import load_deferred
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.render_job import Job
from host.rendering.shell import SHELL, escape, script_json
from host.rendering.ssr_client import SSR_CLIENT
from host.site_state import SITE

log = logging.getLogger("coursefront.rendering")


def headers_of(app: web.Application, result: PageResult, nonce: str | None) -> dict[str, str]:
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": app[CONTENT_POLICIES].header(result.page, nonce),
        "Cache-Control": "no-store" if result.status >= 400 else "private, no-cache",
        "Vary": "Accept-Encoding",
        "X-Accel-Buffering": "no",
        **result.headers,
    }
    if "noindex" in result.head.robots or app[SETTINGS].robots == "closed":
        headers["X-Robots-Tag"] = "noindex"
    if result.status == 503:
        headers.setdefault("Retry-After", "5")
    return headers


def document_kind(app: web.Application, result: PageResult) -> str:
    """Which documents can show the page: those of the same area and with the same policy. "": the ordinary ones."""
    area = () if result.area is None else (result.area["id"],)
    return " ".join(filter(None, (*area, app[CONTENT_POLICIES].key(result.page))))


class ClientDisconnected(Exception):
    """The client closed the connection before the document was complete."""


class DocumentResponse(web.StreamResponse):
    """A document sent in compressed pieces. Its headers leave together with the first piece: one packet less."""

    _send_headers_immediately = False

    def __init__(self, request: web.Request, status: int, headers: Mapping[str, str]):
        super().__init__(status=status, headers=headers)
        self._transport = request.transport
        # The length of the body, as it was sent.
        self.body_bytes = 0
        self._encoder = encoder_for(request.headers.get("Accept-Encoding", ""))
        if self._encoder.name:
            self.headers["Content-Encoding"] = self._encoder.name

    async def write_html(self, *pieces: bytes) -> None:
        encoded = self._encoder.encode(b"".join(pieces))
        self.body_bytes += len(encoded)
        await self.write(encoded)

    async def end(self, *pieces: bytes) -> None:
        encoded = self._encoder.finish(b"".join(pieces))
        self.body_bytes += len(encoded)
        await self.write_eof(encoded)

    def check_client(self) -> None:
        """Raises ClientDisconnected when the connection is closed."""
        if self._transport is None or self._transport.is_closing():
            raise ClientDisconnected


class Document:
    """One document of a loader's result. `url`: path and query as React's router sees them."""

    def __init__(self, app: web.Application, result: PageResult, url: str, nonce: str | None = None):
        self.app, self.result, self.url, self.nonce = app, result, url, nonce
        self.path = url.partition("?")[0]
        self.shell = app[SHELL]
        self.site = app[SITE].state
        self.job: Job | None = None
        # False: no SSR worker rendered the page, and the document holds the fallback page instead.
        self.is_rendered = False

    async def respond(self, request: web.Request, page: PageRequest) -> web.StreamResponse:
        """Send the document: the head before the render begins, the rest as it is rendered."""
        self.site = page.site
        response = DocumentResponse(request, self.result.status, headers_of(self.app, self.result, self.nonce))
        try:
            await self._write(request, response, page)
        except (ClientDisconnected, ConnectionResetError):
            log.debug("the visitor left %s", self.path)
        except Exception:
            # Once the head is sent, only the end of the connection tells the client that the rest will not come.
            if response.prepared and request.transport is not None:
                request.transport.abort()
            raise
        finally:
            self.stop()
        return response

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        raise NotImplementedError

    def head(self) -> bytes:
        return self.shell.head(self.result.page, self.result.head, self.nonce, self.result.area)

    def state(self, deferred: list[str], props: Mapping[str, Any]) -> bytes:
        text = document_kind(self.app, self.result)
        kind = b',"documentKind":' + script_json(text) if text else b""
        if self.result.area is not None:
            kind += b',"area":' + script_json(self.result.area)
        site = self.site.json if self.result.area is None else self.site.area_json
        return (
            b'{"page":' + script_json(self.result.page) + b',"status":' + str(self.result.status).encode() + kind
            + b',"deferred":' + script_json(deferred) + b',"site":' + escape(site)
            + b',"props":' + script_json(props) + b"}"
        )  # fmt: skip

    def entry(self, state: bytes) -> bytes:
        """The state, and the script that reads it."""
        return self.shell.state(state, self.nonce, is_area=self.result.area is not None)

    def payload(self, mode: str, state: bytes) -> bytes:
        """The job (docs/contracts.md): the document's state is the bulk of it, serialised once for both readers."""
        url = script_json(self.url)
        nonce = script_json(self.nonce)
        request_id = script_json(REQUEST_IDS.get().request_id)
        return (
            b'{"mode":"' + mode.encode() + b'","nonce":' + nonce + b',"requestId":' + request_id + b',"url":' + url
            + b"," + state[1:]
        )  # fmt: skip

    def root(
        self, markup: bytes | None, props: Mapping[str, Any], *, is_signed_in: bool = False
    ) -> tuple[bytes, bytes, bytes]:
        """#root in pieces, with the fallback page when there is no markup. `is_signed_in` decides which of the two
        links in the header of a private page the style sheet shows: the markup is the same for everyone."""
        if markup is not None:
            return b'<div id="root" data-signed-in>' if is_signed_in else b'<div id="root">', markup, b"</div>"
        body = self.shell.fallback_page(self.result.page, self.result.head, dict(props))
        return b'<div id="root" data-rendered="no">', body, b"</div>"

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()


class CompleteDocument(Document):
    """A document without open parts: cached pages, pages with nothing deferred, every page for declared crawlers."""

    async def html(self, parts: Mapping[str, Any]) -> bytes:
        """The whole document, for the cache: it is made for everybody, so no disconnected client ends it."""
        try:
            return self.head() + await self._body(parts, None)
        finally:
            self.stop()

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        await response.prepare(request)
        await response.write_html(self.head())
        parts = await load_deferred(page, self.result.deferred) if self.result.deferred else {}
        await response.end(await self._body(parts, response))

    async def _body(self, parts: Mapping[str, Any], response: DocumentResponse | None) -> bytes:
        """What follows the head."""
        props = {**self.result.props, **parts} if parts else self.result.props
        state = self.state([], props)
        check_client = None if response is None else response.check_client
        payload = self.payload("whole", state)
        self.job, markup = await self.app[SSR_CLIENT].render(payload, self.path, check_client)
        self.is_rendered = markup is not None
        return b"".join((*self.root(markup, props), self.entry(state), self.shell.tail))

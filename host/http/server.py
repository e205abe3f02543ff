"""aiohttp's server with a deadline for request heads, without a Server header in any response, and with answers that
are sent where their requests are read.

All three use internals of aiohttp 3.14 (pinned below 3.15); tests/host/http/test_server.py fails if they change.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Protocol, cast

from aiohttp import web
from aiohttp.http import RawRequestMessage
from aiohttp.streams import EMPTY_PAYLOAD
from aiohttp.web_protocol import RequestHandler
from aiohttp.web_urldispatcher import SystemRoute, UrlMappingMatchInfo
from multidict import CIMultiDict

log = logging.getLogger("coursefront.server")

# On every response that does not set them, also on those that aiohttp itself writes for malformed requests.
SECURITY_HEADERS = CIMultiDict(
    {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(self)",
        # The policy of what is no page: pages have one of their own.
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    }
)
HSTS = "max-age=31536000; includeSubDomains"

# A refused body is read for this long, so that the client gets the response; then the connection is closed.
LINGER_S = 2.0


class QuietResponse(web.Response):
    """A response to a request that does not reach the application: with security headers, without a Server header."""

    async def _prepare_headers(self) -> None:
        await super()._prepare_headers()
        self.headers.popall("Server", None)
        self.headers.update(SECURITY_HEADERS)


class ReadyAnswers(Protocol):
    """Answers that need no waiting, to requests without a body on connections that stay open."""

    def answer(self, message: RawRequestMessage) -> Sequence[bytes] | None:
        """The pieces of a whole response, None where the application must answer."""


class GuardedHandler(RequestHandler):
    """One connection. Closed when the first request head is not complete within `header_deadline_s`; aiohttp's
    keep-alive timer limits later heads, the deadline of the call that reads it limits a body.

    aiohttp makes a task for each request, whose first step comes two turns of the event loop after the request. What
    `ready_answers` answers is sent in the turn in which it is read."""

    __slots__ = ("_head_timer", "_ready_answers", "header_deadline_s")

    def __init__(
        self, manager: web.Server, *, header_deadline_s: float, ready_answers: ReadyAnswers | None, **options: Any
    ):
        super().__init__(manager, **options)
        self.header_deadline_s = header_deadline_s
        self._ready_answers = ready_answers
        self._head_timer: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        waiter = self._waiter
        if self._ready_answers is None or waiter is None or waiter.done() or self._messages or self._upgraded:
            super().data_received(data)
            return
        # aiohttp would wake the task of the connection.
        self._waiter = None
        try:
            super().data_received(data)
        finally:
            self._waiter = waiter
        if self._messages and not waiter.done() and not self._answer_now():
            waiter.set_result(None)

    def _answer_now(self) -> bool:
        """Whether the only request that waits is answered. As long as the client has not taken the last answer, aiohttp
        answers, which waits for that."""
        transport, (message, payload) = self.transport, self._messages[0]
        if (
            len(self._messages) > 1
            or payload is not EMPTY_PAYLOAD
            or not isinstance(message, RawRequestMessage)
            or message.should_close
            or message.upgrade
            or transport is None
            or transport.is_closing()
            or transport.get_write_buffer_size()
            or self._paused
            or self._keepalive_handle is None
        ):
            return False
        pieces = self._ready_answer(message)
        if pieces is None or self._parser is None or self._manager is None:
            return False
        transport.writelines(pieces)
        self._messages.popleft()
        self._parser.message_consumed()
        self._manager.requests_count += 1
        self._next_keepalive_close_time = self._loop.time() + self._keepalive_timeout
        return True

    def _ready_answer(self, message: RawRequestMessage) -> Sequence[bytes] | None:
        try:
            return None if self._ready_answers is None else self._ready_answers.answer(message)
        except Exception:
            # The application answers, as it does where there is no ready answer.
            log.exception("a ready answer failed")
            return None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._head_timer = self._loop.call_later(self.header_deadline_s, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self._request_count == 0 and self.transport is not None:
            self.transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            # Whoever sends what is no HTTP fills no log with it.
            self.log_debug("a malformed request: %s", type(exc).__name__)
            text: str | None = "400: Bad Request\n"
        else:
            response = super().handle_error(request, status, exc, None)
            text = response.text if isinstance(response, web.Response) else None
        quiet = QuietResponse(status=status, text=text)
        quiet.force_close()
        return quiet


class GuardedServer(web.Server):
    def __call__(self) -> RequestHandler:
        return GuardedHandler(self, loop=self._loop, **self._kwargs)


FastPath = Callable[[web.Application, web.Request], Awaitable[web.StreamResponse] | None]
# By path. One that returns None leaves the request to router and middlewares.
FAST_PATHS: web.AppKey[dict[str, FastPath]] = web.AppKey("fast_paths")


READY_ANSWERS: web.AppKey[ReadyAnswers] = web.AppKey("ready_answers")

FAST_MATCH = web.AppKey("fast_match", UrlMappingMatchInfo)


def fast_match(app: web.Application) -> UrlMappingMatchInfo:
    """What the router says of a request, for those of fast paths: nobody changes it, so they share it."""
    match = UrlMappingMatchInfo({}, _NO_ROUTE)
    match.add_app(app)
    match.freeze()
    return match


def own_match(app: web.Application, request: web.Request) -> None:
    """Do for a request of a fast path what the router does: then `request.app` and the signals of responses work."""
    request._match_info = app[FAST_MATCH]


_NO_ROUTE = SystemRoute(web.HTTPNotFound())


class GuardedRunner(web.AppRunner):
    """An AppRunner whose connections are GuardedHandlers, and which tries the application's ready answers and fast
    paths."""

    def __init__(self, app: web.Application, *, header_deadline_s: float, **options: Any):
        super().__init__(app, lingering_time=LINGER_S, **options)
        self._header_deadline_s = header_deadline_s
        self._fast_paths = app.get(FAST_PATHS, {})
        self._ready_answers = app.get(READY_ANSWERS)

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()
        options = {**server._kwargs, "header_deadline_s": self._header_deadline_s}
        options["ready_answers"] = self._ready_answers
        return GuardedServer(
            self._handle,
            request_factory=server.request_factory,
            handler_cancellation=server.handler_cancellation,
            loop=server._loop,
            **options,
        )

    def _handle(self, base: web.BaseRequest) -> Awaitable[web.StreamResponse]:
        request = cast("web.Request", base)
        fast_path = self._fast_paths.get(request.raw_path)
        answer = None if fast_path is None else fast_path(self._app, request)
        return self._app._handle(request) if answer is None else answer

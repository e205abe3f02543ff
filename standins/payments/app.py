"""The gateway as an aiohttp application: reads a request, runs its handler in a thread, sends the response."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import aiohttp
from aiohttp import web
from sqlalchemy.orm import Session

from standins.payments import answer_faults
from standins.payments.api import idempotency
from standins.payments.api.endpoints import headers, unknown_url
from standins.payments.api.routes import endpoints
from standins.payments.deliveries import sender
from standins.payments.deliveries.deliverer import Deliverer
from standins.payments.dev import ordering, sending
from standins.payments.errors import PaymentApiError, server_error
from standins.payments.faults import TakenFault, take
from standins.payments.gateway import Gateway
from standins.payments.gateway_thread import GatewayThread
from standins.payments.identifiers import new_id
from standins.payments.page import hosted_page
from standins.payments.work import Call, Response, error_response, json_response

MAX_BODY_BYTES = 1024 * 1024
Handler = Callable[[Call], Response]
AiohttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_THREAD = web.AppKey("thread", GatewayThread)
_DELIVERER = web.AppKey("deliverer", Deliverer)
# Idempotency keys of requests without an answer yet.
_IN_USE: web.AppKey[set[str]] = web.AppKey("in_use", set)
_log = logging.getLogger("standins.payments")


def create_app(gateway: Gateway) -> web.Application:
    """The API, the hosted page and /dev; deliveries are sent while it runs."""
    app = web.Application(client_max_size=MAX_BODY_BYTES)
    app[_THREAD], app[_IN_USE] = GatewayThread(gateway), set()
    for method, path, handler in _routes():
        app.router.add_route(method, path, _aiohttp_handler(handler))
    app.router.add_post("/dev/deliver", _posting_handler(sending.real_event))
    app.router.add_post("/dev/forge", _posting_handler(sending.forged_event))
    app.router.add_route("*", "/v1{path:.*}", _aiohttp_handler(unknown_url))
    app.cleanup_ctx.append(_run_deliveries)
    return app


def _routes() -> Iterator[tuple[str, str, Handler]]:
    for endpoint in endpoints():
        yield endpoint.method, endpoint.path, endpoint.answer
    yield "GET", "/c/files/page.css", hosted_page.send_styles
    yield "GET", "/c/files/icon.svg", hosted_page.send_icon
    yield "GET", "/c/pay/{id}", hosted_page.show
    yield "POST", "/c/pay/{id}", hosted_page.submitted
    yield "GET", "/c/pay/{id}/challenge", hosted_page.show_challenge
    yield "POST", "/c/pay/{id}/challenge", hosted_page.submitted
    yield from ordering.ROUTES


async def _run_deliveries(app: web.Application) -> AsyncIterator[None]:
    deliverer = app[_DELIVERER] = Deliverer(app[_THREAD])
    deliverer.start()
    yield
    await deliverer.stop()
    app[_THREAD].close()


async def _new_call(request: web.Request) -> Call:
    """The request as a call, without its session and time."""
    call = Call(
        request.app[_THREAD].gateway.config,
        Session(),
        0.0,
        method=request.method,
        path=request.path,
        path_values=request.match_info,
        query=request.query_string,
        headers=request.headers,
        body=await request.read(),
    )
    call.request["id"] = new_id("req_")
    return call


def _aiohttp_handler(handler: Handler) -> AiohttpHandler:
    async def serve(request: web.Request) -> web.StreamResponse:
        call = await _new_call(request)
        key = request.headers.get("Idempotency-Key") if request.method == "POST" else None
        in_use = request.app[_IN_USE]
        if key is not None and key in in_use:
            return _aiohttp_response(_refused(call, idempotency.in_use(key)))
        if key is not None:
            in_use.add(key)
        try:
            return await _serve(request, call, handler)
        finally:
            in_use.discard(key or "")

    return serve


async def _serve(request: web.Request, call: Call, handler: Handler) -> web.StreamResponse:
    fault = await _take_fault(request)
    if fault is not None:
        call.fault = fault.do
        if not await answer_faults.before(request, fault):
            return web.Response()
    response = _aiohttp_response(await _run(request, handler, call))
    return response if fault is None else await answer_faults.after(request, response, fault)


async def _take_fault(request: web.Request) -> TakenFault | None:
    thread = request.app[_THREAD]
    # What orders and shows faults has none.
    if not thread.gateway.has_faults or request.path == "/dev/faults":
        return None
    name = f"{request.method} {request.path}"
    return await thread.run_alone(lambda work: take(work.session, name))


async def _run(request: web.Request, handler: Handler, call: Call) -> Response:
    try:
        return await request.app[_THREAD].run(handler, call)
    except PaymentApiError as error:
        return _refused(call, error)
    except Exception:
        _log.exception("%s %s failed", request.method, request.path)
        return _refused(call, server_error())
    finally:
        request.app[_DELIVERER].wake()


def _refused(call: Call, error: PaymentApiError) -> Response:
    response = error_response(call, error)
    response.headers |= headers(call)
    return response


def _posting_handler(prepare: Callable[[Call], sending.Posting]) -> AiohttpHandler:
    """Sends what `prepare` returns to the webhook; the response has the status of its answer."""

    async def serve(request: web.Request) -> web.StreamResponse:
        thread, call = request.app[_THREAD], await _new_call(request)
        try:
            posting = await thread.run(prepare, call)
        except PaymentApiError as error:
            return _aiohttp_response(_refused(call, error))
        async with aiohttp.ClientSession() as client:
            status = await sender.post(client, thread.gateway.config.webhook, posting.body, posting.signature)
        return _aiohttp_response(json_response({"status": status}))

    return serve


def _aiohttp_response(response: Response) -> web.Response:
    made = web.Response(status=response.status, body=response.body, headers=response.headers)
    made.headers["Content-Type"] = response.content_type
    return made

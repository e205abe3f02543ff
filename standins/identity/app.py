"""The provider as an aiohttp application: reads a request whole, hands it to a thread, sends the answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from aiohttp import web
from sqlalchemy.orm import Session

from standins.identity import authorize, discovery, exchange, hosted, inspection, logout, outbox, pages, sessions
from standins.identity.answers import Answer, ApiError, Call
from standins.identity.authn.routes import ROUTES as AUTHN
from standins.identity.clients import Client
from standins.identity.idx import calls as idx
from standins.identity.idx import idps, start
from standins.identity.myaccount.routes import ROUTES as ACCOUNT
from standins.identity.provider import Provider

LARGEST_BODY = 1024 * 1024
PROVIDER = web.AppKey("provider", Provider)
Handler = Callable[[Call], Answer]
Route = tuple[str, str, Handler]
_THREAD = web.AppKey("thread", ThreadPoolExecutor)
_log = logging.getLogger("standins.identity")

ALLOWED_HEADERS = "authorization, content-type, accept, x-okta-user-agent-extended, x-device-fingerprint"


def _oauth_routes() -> Iterator[Route]:
    """Every endpoint of both issuers: the org's and the custom server's."""
    for root, at in (("", "/oauth2/v1"), ("/oauth2/{server:default}", "/oauth2/{server:default}/v1")):
        yield "GET", f"{root}/.well-known/openid-configuration", discovery.document
        yield "GET", f"{root}/.well-known/oauth-authorization-server", discovery.document
        yield "GET", f"{at}/keys", discovery.keys
        yield "GET", f"{at}/authorize", authorize.authorize
        yield "POST", f"{at}/token", exchange.token
        yield "GET", f"{at}/userinfo", inspection.userinfo
        yield "POST", f"{at}/userinfo", inspection.userinfo
        yield "POST", f"{at}/revoke", inspection.revoke
        yield "POST", f"{at}/introspect", inspection.introspect
        yield "GET", f"{at}/logout", logout.logout
        yield "POST", f"{at}/interact", start.interact


def routes() -> Iterator[Route]:
    yield from _oauth_routes()
    yield "GET", "/api/v1/sessions/me", sessions.me
    yield "DELETE", "/api/v1/sessions/me", sessions.close_me
    yield "POST", "/api/v1/sessions/me/lifecycle/refresh", sessions.refresh
    yield "GET", "/auth/services/devicefingerprint", pages.fingerprint
    yield "GET", "/files/{name}", pages.file
    yield "GET", "/signin", hosted.form
    yield "POST", "/signin", hosted.submit
    yield "GET", "/outbox", outbox.for_people
    yield "GET", "/dev/outbox", outbox.listing
    yield "POST", "/dev/push", outbox.decide
    yield "POST", "/dev/rotate", outbox.rotate
    for path, handler in AUTHN.items():
        yield "POST", f"/api/v1/authn{path}", handler
    yield "POST", "/idp/idx/introspect", start.introspect
    yield "POST", "/idp/idx/{path:.+}", idx.submit
    yield from ACCOUNT
    yield "GET", "/sso/idps/{id}", idps.shown
    yield "POST", "/sso/idps/{id}", idps.answered


def create_app(provider: Provider) -> web.Application:
    """One thread does the work, one call after the other: SQLite has one writer, and hashing leaves the loop free."""
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[_across_origins, _errors])
    app[PROVIDER] = provider
    for method, path, handler in routes():
        app.router.add_route(method, path, _served(handler))
    app.cleanup_ctx.append(_working)
    return app


async def _working(app: web.Application) -> AsyncIterator[None]:
    app[_THREAD] = ThreadPoolExecutor(1, "identity")
    yield
    app[_THREAD].shutdown()
    app[PROVIDER].engine.dispose()


def _served(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        provider = request.app[PROVIDER]
        call = Call(
            provider,
            Session(),
            0.0,
            request.method,
            request.path,
            request.match_info,
            request.query,
            request.headers,
            request.cookies,
            await request.read(),
        )
        loop = asyncio.get_running_loop()
        return _sent(await loop.run_in_executor(request.app[_THREAD], provider.carry_out, handler, call))

    return serve


def _sent(answer: Answer) -> web.Response:
    body = answer.body or None
    response = web.Response(status=answer.status, body=body, headers=answer.headers)
    if body is not None:
        response.headers["Content-Type"] = answer.media
    for name, value in answer.cookies.items():
        if value is None:
            response.del_cookie(name, path="/")
        else:
            response.set_cookie(name, value, path="/", httponly=True, samesite="Lax")
    return response


@web.middleware
async def _across_origins(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Browsers of registered sites may call, with cookies; nobody else's."""
    origin = request.headers.get("Origin")
    clients: list[Client] = list(request.app[PROVIDER].clients.values())
    is_known = origin is not None and any(origin in client.origins for client in clients)
    if request.method == "OPTIONS":
        response: web.StreamResponse = web.Response(status=204 if is_known else 403)
    else:
        response = await handler(request)
    response.headers["Vary"] = "Origin"
    if is_known and origin is not None:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Expose-Headers"] = "WWW-Authenticate, X-Rate-Limit-Reset, Date"
    return response


@web.middleware
async def _errors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return _sent(ApiError("E0000008", 404, "The requested path was not found").answer())
    except web.HTTPMethodNotAllowed:
        return _sent(ApiError("E0000022", 405, "The endpoint does not support the provided HTTP method").answer())
    except web.HTTPException:
        raise
    except Exception:
        _log.exception("%s %s failed", request.method, request.path)
        return _sent(ApiError("E0000009", 500, "Internal Server Error").answer())

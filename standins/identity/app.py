"""The provider as an aiohttp application: reads a request, runs its handler in a thread, sends the response."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from aiohttp import web
from sqlalchemy.orm import Session

from standins.identity import hosted_page, outbox, pages, sessions
from standins.identity.authn.routes import ROUTES as AUTHN
from standins.identity.clients import Client
from standins.identity.idx import form_handlers as idx
from standins.identity.idx import idps, interaction
from standins.identity.myaccount.routes import ROUTES as ACCOUNT
from standins.identity.oauth import authorize, discovery, logout, token_endpoint, token_status
from standins.identity.provider import Provider
from standins.identity.responses import IdentityApiError, IdentityCall, IdentityResponse

MAX_BODY_BYTES = 1024 * 1024
PROVIDER = web.AppKey("provider", Provider)
Handler = Callable[[IdentityCall], IdentityResponse]
Route = tuple[str, str, Handler]
_THREAD = web.AppKey("thread", ThreadPoolExecutor)
_log = logging.getLogger("standins.identity")

ALLOWED_HEADERS = "authorization, content-type, accept, x-okta-user-agent-extended, x-device-fingerprint"


def _oauth_routes() -> Iterator[Route]:
    """The endpoints of both issuers, the org's and the custom server's."""
    for root, at in (("", "/oauth2/v1"), ("/oauth2/{server:default}", "/oauth2/{server:default}/v1")):
        yield "GET", f"{root}/.well-known/openid-configuration", discovery.show_metadata
        yield "GET", f"{root}/.well-known/oauth-authorization-server", discovery.show_metadata
        yield "GET", f"{at}/keys", discovery.show_keys
        yield "GET", f"{at}/authorize", authorize.authorize
        yield "POST", f"{at}/token", token_endpoint.issue_tokens
        yield "GET", f"{at}/userinfo", token_status.userinfo
        yield "POST", f"{at}/userinfo", token_status.userinfo
        yield "POST", f"{at}/revoke", token_status.revoke
        yield "POST", f"{at}/introspect", token_status.introspect
        yield "GET", f"{at}/logout", logout.logout
        yield "POST", f"{at}/interact", interaction.interact


def routes() -> Iterator[Route]:
    yield from _oauth_routes()
    yield "GET", "/api/v1/sessions/me", sessions.show_me
    yield "DELETE", "/api/v1/sessions/me", sessions.delete_me
    yield "POST", "/api/v1/sessions/me/lifecycle/refresh", sessions.refresh_me
    yield "GET", "/auth/services/devicefingerprint", pages.show_fingerprint
    yield "GET", "/signin", hosted_page.show
    yield "POST", "/signin", hosted_page.submit
    yield from outbox_routes()
    yield "POST", "/dev/push", outbox.decide_push
    yield "POST", "/dev/rotate", outbox.rotate_key
    for path, handler in AUTHN.items():
        yield "POST", f"/api/v1/authn{path}", handler
    yield "POST", "/idp/idx/introspect", interaction.introspect
    yield "POST", "/idp/idx/{path:.+}", idx.submit
    yield from ACCOUNT
    yield "GET", "/sso/idps/{id}", idps.show_page
    yield "POST", "/sso/idps/{id}", idps.complete


def outbox_routes() -> Iterator[Route]:
    """Shows the messages that were sent, those of the mail stand-in included."""
    yield "GET", "/files/{name}", pages.send_file
    yield "GET", "/outbox", outbox.show_page
    yield "GET", "/outbox/{id}", outbox.show_mail
    yield "GET", "/outbox/{id}/html", outbox.show_html
    yield "GET", "/dev/outbox", outbox.show_json


def create_app(provider: Provider, served: Callable[[], Iterator[Route]] = routes) -> web.Application:
    """The application with the routes of `served`. One thread runs the calls: SQLite has one writer,
    and hashing must not block the loop."""
    app = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[_cors, _errors])
    app[PROVIDER] = provider
    for method, path, handler in served():
        app.router.add_route(method, path, _aiohttp_handler(handler))
    app.cleanup_ctx.append(_run_thread)
    return app


async def _run_thread(app: web.Application) -> AsyncIterator[None]:
    app[_THREAD] = ThreadPoolExecutor(1, "identity")
    yield
    app[_THREAD].shutdown()
    app[PROVIDER].engine.dispose()


def _aiohttp_handler(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        provider = request.app[PROVIDER]
        call = IdentityCall(
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
        return _aiohttp_response(await loop.run_in_executor(request.app[_THREAD], provider.run, handler, call))

    return serve


def _aiohttp_response(answer: IdentityResponse) -> web.Response:
    body = answer.body or None
    response = web.Response(status=answer.status, body=body, headers=answer.headers)
    if body is not None:
        response.headers["Content-Type"] = answer.content_type
    for name, value in answer.cookies.items():
        if value is None:
            response.del_cookie(name, path="/")
        else:
            response.set_cookie(name, value, path="/", httponly=True, samesite="Lax")
    return response


@web.middleware
async def _cors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Allows cross-origin calls with cookies from the origins of registered clients."""
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
        return _aiohttp_response(IdentityApiError("E0000008", 404, "The requested path was not found").response())
    except web.HTTPMethodNotAllowed:
        return _aiohttp_response(
            IdentityApiError("E0000022", 405, "The endpoint does not support the provided HTTP method").response()
        )
    except web.HTTPException:
        raise
    except Exception:
        _log.exception("%s %s failed", request.method, request.path)
        return _aiohttp_response(IdentityApiError("E0000009", 500, "Internal Server Error").response())

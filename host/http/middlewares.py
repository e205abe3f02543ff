"""Around every request: its id, one log line, protective headers, and one place that says what went wrong."""

import logging
import os
import time

from aiohttp import web
from aiohttp.typedefs import Handler

from domain.errors import DomainError, InvalidInput, NotFound, Unavailable
from domain.pages import redacted
from host import keys
from host.limits import TooMany
from host.problems import Problem, problem
from host.server import PROTECTIVE

log = logging.getLogger("coursefront.access")


def new_id() -> str:
    return os.urandom(8).hex()


@web.middleware
async def access(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A request id for logs and for people who report a problem; one structured line for each request."""
    began = time.perf_counter()
    request[keys.REQUEST_ID] = request_id = new_id()
    status = 500
    try:
        response = await handler(request)
        status = response.status
        return response
    except web.HTTPException as error:
        status = error.status
        raise
    finally:
        if log.isEnabledFor(logging.INFO):
            took = (time.perf_counter() - began) * 1000
            log.info("%s %s %s %d %.1fms", request_id, request.method, redacted(request.path_qs)[:300], status, took)


@web.middleware
async def say_problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Exceptions as problem+json, in one place; pages draw their own."""
    try:
        return await handler(request)
    except (Problem, DomainError, TooMany) as error:
        return _said(error)
    except web.HTTPRequestEntityTooLarge:
        return problem(413)
    except web.HTTPMethodNotAllowed as error:
        return problem(405, headers={"Allow": ", ".join(sorted(error.allowed_methods))})
    except (web.HTTPException, ConnectionError):
        raise
    except Exception:
        log.exception("request %s failed", request[keys.REQUEST_ID])
        detail = f"Please try again. If it keeps happening, name this number: {request[keys.REQUEST_ID]}."
        return problem(500, detail)


def _said(error: Exception) -> web.Response:
    match error:
        case Problem():
            return error.response()
        case TooMany():
            return problem(429, str(error), headers={"Retry-After": str(error.retry_after_s)})
        case InvalidInput():
            return problem(422, errors=error.errors)
        case NotFound():
            return problem(404, str(error))
        case Unavailable():
            return problem(503, str(error), headers={"Retry-After": "5"})
        case _:
            return problem(403, str(error))


async def protect(request: web.Request, response: web.StreamResponse) -> None:
    """Headers of every answer, set when it is prepared."""
    headers = response.headers
    headers.popall("Server", None)
    for name, value in PROTECTIVE.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    headers["X-Request-Id"] = request.get(keys.REQUEST_ID) or new_id()
    if request.app[keys.SETTINGS].is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")

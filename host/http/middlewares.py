"""Middlewares of every request: request id, access log, security headers, and errors as problem+json."""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from config.logs import ACCESS, REQUEST_IDS, RequestIds
from domain.errors import Conflict, DomainError, InvalidInput, NotFound, ServiceUnavailable
from domain.redaction import redact
from host.app_keys import SETTINGS
from host.http import request_keys
from host.http.problems import Problem, RateLimited, problem
from host.http.request_counts import REQUEST_COUNTS
from host.http.server import HSTS, SECURITY_HEADERS
from host.http.trace_context import read_trace_id


@dataclass(frozen=True)
class AnswerObserver:
    """`observe` is called with requests once they are answered: the answer (None: it failed unexpectedly), status and
    seconds. With those that have SERVED_HEAD, and those of `paths` and of the paths below `folder`: others are the
    most, and cost no call."""

    observe: Callable[[web.Request, web.StreamResponse | None, int, float], None]
    paths: Collection[str]
    folder: str


ANSWER_OBSERVER: web.AppKey[AnswerObserver] = web.AppKey("answer_observer")
log = logging.getLogger(ACCESS)
observing = logging.getLogger("coursefront.observing")

# Nobody receives it: the status by which visitors are counted who are gone before their request is read or answered.
HUNG_UP = 499
NO_PATH = "The target of a request is a path."


# Made many at once: a call of the system for each costs ten times what the id does.
ID_DIGITS, ID_BATCH = 16, 256
_ids: list[str] = []


def new_request_id() -> str:
    """16 hexadecimal digits, for the event loop alone."""
    if not _ids:
        text = os.urandom(ID_DIGITS // 2 * ID_BATCH).hex()
        _ids.extend(text[start : start + ID_DIGITS] for start in range(0, len(text), ID_DIGITS))
    return _ids.pop()


@web.middleware
async def access_log(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give the request an id, for logs and problem reports, and log it in one line."""
    started = time.perf_counter()
    request[request_keys.REQUEST_ID] = request_id = new_request_id()
    try:
        # Not reset afterwards: the next request of the connection sets its own.
        REQUEST_IDS.set(RequestIds(request_id, read_trace_id(request.headers.get("traceparent"))))
    except Exception:
        say_failed("naming a request")
    status, answer = 500, None
    try:
        # The asterisk or the authority of a proxy: nothing is served by these.
        response = await handler(request) if request.path.startswith("/") else problem(400, NO_PATH)
        status, answer = response.status, response
        return response
    except web.HTTPException as error:
        status, answer = error.status, error
        raise
    except asyncio.CancelledError:
        # The server ends what is done for a connection that has ended.
        status = HUNG_UP
        log.debug("%s %s: the visitor hung up", request.method, redact(request.path))
        raise
    finally:
        elapsed_s = time.perf_counter() - started
        try:
            request.app[REQUEST_COUNTS].add(request.path, status, elapsed_s)
        except Exception:
            say_failed("counting a request")
        try:
            observer, path = request.app[ANSWER_OBSERVER], request.path
            if request_keys.SERVED_HEAD in request or path in observer.paths or path.startswith(observer.folder):
                observer.observe(request, answer, status, elapsed_s)
        except Exception:
            say_failed("recording a request")
        try:
            if log.isEnabledFor(logging.INFO):
                log_access(request.method, request.path_qs, status, elapsed_s)
        except Exception:
            say_failed("logging a request")


def say_failed(what: str) -> None:
    """An error of what only observes requests is logged, if that is possible, and changes no answer."""
    with suppress(Exception):
        observing.exception("%s failed", what)


@contextmanager
def never_failing(what: str) -> Iterator[None]:
    """For what only observes requests, where every call counts less."""
    try:
        yield
    except Exception:
        say_failed(what)


def log_access(method: str, target: str, status: int, elapsed_s: float) -> None:
    """`target`: path and query, decoded."""
    fields = {
        "method": method,
        "path": redact(target)[:300],
        "status": status,
        "ms": round(elapsed_s * 1000, 1),
    }
    log.info("%(method)s %(path)s %(status)d %(ms).1fms", fields, extra=fields)


@web.middleware
async def problem_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn exceptions into problem+json responses. Pages handle their own errors."""
    try:
        return await handler(request)
    except (Problem, DomainError, RateLimited) as error:
        return _problem_of(error)
    except web.HTTPRequestEntityTooLarge:
        return problem(413)
    except web.HTTPMethodNotAllowed as error:
        return problem(405, headers={"Allow": ", ".join(sorted(error.allowed_methods))})
    except web.HTTPException:
        raise
    except ConnectionError:
        if request.transport is not None and not request.transport.is_closing():
            raise
        log.debug("%s %s: the visitor hung up", request.method, redact(request.path))
        return web.Response(status=HUNG_UP, reason="Client Closed Request")
    except Exception:
        log.exception("%s %s failed", request.method, redact(request.path))
        detail = f"Please try again. If it keeps happening, quote this reference: {request[request_keys.REQUEST_ID]}."
        return problem(500, detail)


def _problem_of(error: Exception) -> web.Response:
    match error:
        case Problem():
            return error.response()
        case RateLimited():
            return problem(429, str(error), headers={"Retry-After": str(error.retry_after_s)})
        case InvalidInput():
            return problem(422, errors=error.errors)
        case NotFound() | Conflict():
            return problem(404 if isinstance(error, NotFound) else 409, str(error))
        case ServiceUnavailable():
            return problem(503, str(error), headers={"Retry-After": str(error.retry_after_s)})
        case _:
            return problem(403, str(error))


async def set_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Signal handler of `on_response_prepare`: the headers that every response has."""
    headers = response.headers
    headers.popall("Server", None)
    headers.merge(SECURITY_HEADERS)
    headers["X-Request-Id"] = request_id = request.get(request_keys.REQUEST_ID) or new_request_id()
    if headers.get("Content-Type", "").startswith("text/html"):
        # Scripts cannot read the headers of their own document, except this one; its error page names the id.
        headers["Server-Timing"] = f'request;desc="{request_id}"'
    if request.app[SETTINGS].is_secure:
        headers.setdefault("Strict-Transport-Security", HSTS)


def set_own_cookies(request: web.Request, response: web.Response) -> None:
    """The cookies that a call sets (request_keys.COOKIES)."""
    for name, (value, attributes) in request.get(request_keys.COOKIES, {}).items():
        response.set_cookie(name, value, **attributes)

"""JSON calls under /api. `@call` and `@query` register a handler: its request is validated, its reply is typed, and
both are described in the OpenAPI document. `@redirect` registers an address that a browser navigates to."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Unpack

from aiohttp import web
from pydantic import BaseModel

from host.api.authorization import CallPolicy, PolicyOptions, authorize, declared_policy
from host.api.body import BODY_LIMIT, limit_of, parse_json, read_body, read_model, read_query
from host.api.fields import SAFE, Id, LooseText
from host.app_keys import SETTINGS
from host.http import request_keys
from host.http.middlewares import set_own_cookies
from host.http.problems import Problem
from host.rendering.shell import json_bytes

__all__ = ["BODY_LIMIT", "CALLS", "SAFE", "Call", "Id", "LooseText", "call", "parse_json", "query", "read_body"]

# A model, or a TypedDict.
Reply = BaseModel | Mapping[str, Any]
Handler = Callable[[web.Request, Any], Awaitable[Reply]]
RedirectHandler = Callable[[web.Request], Awaitable[web.Response]]
Method = Literal["GET", "POST", "PUT", "DELETE"]


class CallOptions(PolicyOptions, total=False):
    """Options of a call, beside who may make it. `refusals`: error statuses beside the usual ones. `max_age_s`: how
    long shared caches may store the reply. `has_text_ids`: the ids in the
    path are the provider's strings, not our numbers. `has_own_deadlines`: the handler bounds each of its waits, which
    together are longer than other calls may take."""

    method: Method
    status: int
    refusals: tuple[int, ...]
    max_age_s: int
    has_text_ids: bool
    has_own_deadlines: bool


@dataclass(frozen=True)
class Call:
    """One call of the wire contract. `request_model` describes the body, or the query of a GET; `name` may contain ids
    as in cart/lines/{id}. `takes_any_id`: one that is no number gets the answer of unknown ones."""

    name: str
    summary: str
    request_model: type[BaseModel]
    response_model: type[Reply]
    handler: Handler
    policy: CallPolicy
    method: Method = "POST"
    status: int = 200
    refusals: tuple[int, ...] = ()
    max_age_s: int = 0
    has_text_ids: bool = False
    takes_any_id: bool = False
    has_own_deadlines: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)

    @property
    def is_body_optional(self) -> bool:
        """A call without parameters needs no body."""
        return not self.request_model.model_fields

    @property
    def ids(self) -> list[str]:
        """Names of the ids in the path."""
        return _ID.findall(self.name)

    @property
    def id_form(self) -> str:
        if self.takes_any_id:
            return ANY_ID
        return TEXT_ID if self.has_text_ids else NUMBER_ID

    @cached_property
    def path(self) -> re.Pattern[str]:
        return re.compile(_ID.sub(lambda match: f"(?P<{match[1]}>{self.id_form})", self.name))


@dataclass(frozen=True)
class RedirectCall:
    """GET /api/{name}: 303 to another page. `query_model` describes the query, which the handler reads itself."""

    name: str
    summary: str
    query_model: type[BaseModel]
    handler: RedirectHandler


REDIRECTS: dict[str, RedirectCall] = {}
# By method and name.
CALLS: dict[tuple[Method, str], Call] = {}
_BODY_REFUSALS = (400, 403, 408, 413, 415, 422)
_ID = re.compile(r"\{(\w+)\}")
# JavaScript represents integers exactly only below 2^53, which has 16 digits.
NUMBER_ID = "[0-9]{1,15}"
# No dot and no slash: an id cannot change the path of a request to the provider.
TEXT_ID = "[A-Za-z0-9_-]{1,128}"
ANY_ID = "[^/]+"
# An id that no row has.
NO_ID = 0
# Calls in this folder tell nobody whether something is an id.
_ANY_IDS = "host.api.learning."


def call(
    name: str, request_model: type[BaseModel], response_model: type[Reply], **options: Unpack[CallOptions]
) -> Callable[[Handler], Handler]:
    """Register a handler `async (request, body) -> response model` as /api/{name}; its docstring is its description."""
    return _register(name, request_model, response_model, _BODY_REFUSALS, options)


def query(
    name: str, request_model: type[BaseModel], response_model: type[Reply], **options: Unpack[CallOptions]
) -> Callable[[Handler], Handler]:
    """Register a read-only handler as GET /api/{name}?…"""
    return _register(name, request_model, response_model, (422,), {"method": "GET", **options})


def redirect(name: str, query_model: type[BaseModel]) -> Callable[[RedirectHandler], RedirectHandler]:
    """Register a handler as GET /api/{name}; its docstring is its description."""

    def register(handler: RedirectHandler) -> RedirectHandler:
        REDIRECTS[name] = RedirectCall(name, " ".join((handler.__doc__ or "").split()), query_model, handler)
        return handler

    return register


def _register(
    name: str,
    request_model: type[BaseModel],
    response_model: type[Reply],
    usual_refusals: tuple[int, ...],
    options: CallOptions,
) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        policy = declared_policy(name, handler.__module__, options)
        fields: dict[str, Any] = {
            key: value for key, value in options.items() if key not in PolicyOptions.__annotations__
        }
        fields["takes_any_id"] = f"{handler.__module__}.".startswith(_ANY_IDS)
        not_found = {404} if _ID.search(name) else set()
        refusals = {*usual_refusals, *options.get("refusals", ()), *policy.refusals, *not_found}
        fields["refusals"] = tuple(sorted(refusals))
        summary = " ".join((handler.__doc__ or "").split())
        registered = Call(name, summary, request_model, response_model, handler, policy, **fields)
        CALLS[registered.method, name] = registered
        (_by_pattern if registered.ids else _by_name).setdefault(name, {})[registered.method] = registered
        return handler

    return register


_by_name: dict[str, dict[str, Call]] = {}
_by_pattern: dict[str, dict[str, Call]] = {}


def _calls_of_path(name: str) -> tuple[dict[str, Call], dict[str, str]]:
    """The calls of a path by method, and the ids in the path."""
    if name in _by_name:
        return _by_name[name], {}
    for calls in _by_pattern.values():
        match = next(iter(calls.values())).path.fullmatch(name)
        if match is not None:
            return calls, match.groupdict()
    return {}, {}


def _call_of_request(request: web.Request) -> Call:
    name = request.match_info["name"]
    calls, ids = _calls_of_path(name)
    if name in REDIRECTS:
        raise Problem(405, "Use GET.", headers={"Allow": "GET, HEAD"})
    if not calls:
        raise Problem(404, "There is no call with this name.")
    requested = calls.get("GET" if request.method == "HEAD" else request.method)
    if requested is None:
        allowed = [method for allowed_call in calls.values() for method in allowed_call.methods]
        raise Problem(405, f"Use {' or '.join(sorted(calls))}.", headers={"Allow": ", ".join(allowed)})
    if ids and requested.has_text_ids:
        request[request_keys.PATH_IDS] = ids
    elif ids:
        request[request_keys.PATH_ID] = int(ids["id"]) if re.fullmatch(NUMBER_ID, ids["id"]) else NO_ID
    return requested


async def answer(request: web.Request) -> web.Response:
    """Serve /api/{name} by the call registered for this path and method, within the call's deadline."""
    requested = _call_of_request(request)
    until = asyncio.get_running_loop().time() + request.app[SETTINGS].call_deadline_ms / 1000
    try:
        async with asyncio.timeout_at(until):
            await authorize(request, requested.policy)
        body = await _read_request(request, requested)
        async with asyncio.timeout_at(None if requested.has_own_deadlines else until):
            result = await requested.handler(request, body)
    except TimeoutError:
        raise Problem(503, "This took too long. Please try again.", headers={"Retry-After": "5"}) from None
    return _response(requested, result, request)


async def _read_request(request: web.Request, requested: Call) -> BaseModel:
    if requested.method == "GET":
        return read_query(request, requested.request_model)
    limit = limit_of(requested.request_model, is_staff=requested.policy.area == "admin")
    body = await read_model(request, requested.request_model, is_optional=requested.is_body_optional, limit=limit)
    claimed = getattr(body, "AAUserID", None)
    is_learner_call = requested.policy.caller == "learner"
    if is_learner_call and claimed is not None and claimed != request[request_keys.AUTH_SESSION].learner_id:
        raise Problem(403, "AAUserID is not the one you are signed in with.")
    return body


def _json(reply: Reply) -> bytes:
    return reply.model_dump_json(by_alias=True).encode() if isinstance(reply, BaseModel) else json_bytes(reply)


def _response(requested: Call, result: Reply, request: web.Request) -> web.Response:
    is_cacheable = requested.max_age_s and not request.get(request_keys.IS_PRIVATE)
    response = web.Response(
        body=_json(result),
        status=requested.status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": f"public, max-age={requested.max_age_s}" if is_cacheable else "no-store"},
    )
    set_own_cookies(request, response)
    response.headers.update(request.get(request_keys.HEADERS, {}))
    return response

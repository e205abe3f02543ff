"""JSON calls. `@call` and `@query` read and check what comes in, say what goes out, and write the OpenAPI document."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypedDict, Unpack

from aiohttp import web
from pydantic import BaseModel

from host import keys, origins, sessions
from host.calls.forms import SAFE, Id, LooseText
from host.calls.reading import BODY_LIMIT, parse_json, read_body, read_model, read_query
from host.problems import Problem

__all__ = ["BODY_LIMIT", "CALLS", "SAFE", "Call", "Id", "LooseText", "call", "parse_json", "query", "read_body"]

Handler = Callable[[web.Request, Any], Awaitable[BaseModel]]
Method = Literal["GET", "POST", "PUT", "DELETE"]


class About(TypedDict, total=False):
    """What is special about a call. `who` learner: it takes both halves of a sign-in, and AAUserID must be theirs.
    `fresh_s`: how long anybody may keep the answer; `is_body_optional`: an empty body will do; `has_text_ids`: the ids
    in its path are the provider's words, not our numbers."""

    method: Method
    who: Literal["anyone", "learner"]
    status: int
    refusals: tuple[int, ...]
    fresh_s: int
    is_body_optional: bool
    has_text_ids: bool


@dataclass(frozen=True)
class Call:
    """One call of the wire contract. `takes` is the body, of a GET the query; a name may hold ids: cart/lines/{id}."""

    name: str
    about: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    handler: Handler
    method: Method = "POST"
    who: Literal["anyone", "learner"] = "anyone"
    status: int = 200
    refusals: tuple[int, ...] = ()
    fresh_s: int = 0
    is_body_optional: bool = False
    has_text_ids: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)

    @property
    def ids(self) -> list[str]:
        """Names of the ids in its path."""
        return _ID.findall(self.name)

    @property
    def id_form(self) -> str:
        return TEXT_ID if self.has_text_ids else NUMBER_ID

    @cached_property
    def path(self) -> re.Pattern[str]:
        return re.compile(_ID.sub(lambda found: f"(?P<{found[1]}>{self.id_form})", self.name))


# By method and name.
CALLS: dict[tuple[Method, str], Call] = {}
_BODY_REFUSALS = (400, 403, 408, 413, 415, 422)
_ID = re.compile(r"\{(\w+)\}")
# 16 digits could not be told apart by JavaScript any more.
NUMBER_ID = "[0-9]{1,15}"
# No dot and no slash: an id can never lead to another address at the provider.
TEXT_ID = "[A-Za-z0-9_-]{1,128}"


def call(
    name: str, takes: type[BaseModel], gives: type[BaseModel], **about: Unpack[About]
) -> Callable[[Handler], Handler]:
    """Registers a handler `async (request, body) -> answer` as /api/{name}; its docstring is its description."""
    return _registered(name, takes, gives, _BODY_REFUSALS, about)


def query(
    name: str, takes: type[BaseModel], gives: type[BaseModel], **about: Unpack[About]
) -> Callable[[Handler], Handler]:
    """The same for a question: GET /api/{name}?…, changing nothing."""
    return _registered(name, takes, gives, (422,), {"method": "GET", **about})


def _registered(
    name: str, takes: type[BaseModel], gives: type[BaseModel], usual: tuple[int, ...], about: About
) -> Callable[[Handler], Handler]:
    found = set(usual) | set(about.get("refusals", ())) | ({401, 503} if about.get("who") == "learner" else set())
    if _ID.search(name):
        found.add(404)
    facts: dict[str, Any] = {**about, "refusals": tuple(sorted(found))}

    def register(handler: Handler) -> Handler:
        made = Call(name, " ".join((handler.__doc__ or "").split()), takes, gives, handler, **facts)
        CALLS[made.method, name] = made
        (_by_pattern if made.ids else _by_name).setdefault(name, {})[made.method] = made
        return handler

    return register


_by_name: dict[str, dict[str, Call]] = {}
_by_pattern: dict[str, dict[str, Call]] = {}


def _found(name: str) -> tuple[dict[str, Call], dict[str, str]]:
    """The calls of a path by their methods, and the ids that stand in it."""
    if name in _by_name:
        return _by_name[name], {}
    for calls in _by_pattern.values():
        matched = next(iter(calls.values())).path.fullmatch(name)
        if matched is not None:
            return calls, matched.groupdict()
    return {}, {}


def _chosen(request: web.Request) -> Call:
    calls, ids = _found(request.match_info["name"])
    if not calls:
        raise Problem(404, "There is no call of this name.")
    found = calls.get("GET" if request.method == "HEAD" else request.method)
    if found is None:
        allowed = [method for one in calls.values() for method in one.methods]
        raise Problem(405, f"Use {' or '.join(sorted(calls))}.", headers={"Allow": ", ".join(allowed)})
    if ids and found.has_text_ids:
        request[keys.PATH_IDS] = ids
    elif ids:
        request[keys.PATH_ID] = int(ids["id"])
    return found


async def answer(request: web.Request) -> web.Response:
    """/api/{name}, with whatever method the call has."""
    found = _chosen(request)
    if found.method != "GET":
        origins.check(request)
    until = asyncio.get_running_loop().time() + request.app[keys.SETTINGS].call_deadline_ms / 1000
    try:
        async with asyncio.timeout_at(until):
            if found.who == "learner":
                request[keys.SIGNED_IN] = await sessions.required(request)
        asked = await _asked(request, found)
        async with asyncio.timeout_at(until):
            given = await found.handler(request, asked)
    except TimeoutError:
        raise Problem(503, "This took too long. Please try again.", headers={"Retry-After": "5"}) from None
    return _answered(found, given, request)


async def _asked(request: web.Request, found: Call) -> BaseModel:
    if found.method == "GET":
        return read_query(request, found.takes)
    asked = await read_model(request, found.takes, is_optional=found.is_body_optional)
    claimed = getattr(asked, "AAUserID", None)
    if found.who == "learner" and claimed is not None and claimed != request[keys.SIGNED_IN].learner_id:
        raise Problem(403, "AAUserID is not the one you are signed in with.")
    return asked


def _answered(found: Call, given: BaseModel, request: web.Request) -> web.Response:
    is_kept = found.fresh_s and not request.get(keys.IS_PRIVATE)
    response = web.Response(
        body=given.model_dump_json(by_alias=True).encode(),
        status=found.status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": f"public, max-age={found.fresh_s}" if is_kept else "no-store"},
    )
    for name, (value, attributes) in request.get(keys.COOKIES, {}).items():
        response.set_cookie(name, value, **attributes)
    response.headers.update(request.get(keys.HEADERS, {}))
    return response

"""JSON calls. `@call` and `@query` read and check what comes in, say what goes out, and write the OpenAPI document."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

from aiohttp import ClientPayloadError, web
from aiohttp.http_exceptions import HttpProcessingError
from pydantic import BaseModel, BeforeValidator, Field, ValidationError, WithJsonSchema

from host import keys, origins
from host.problems import Problem

BODY_LIMIT = 64 * 1024
# JSON numbers that JavaScript can tell apart.
SAFE = 2**53 - 1

Handler = Callable[[web.Request, Any], Awaitable[BaseModel]]


@dataclass(frozen=True)
class Call:
    """One call of the wire contract. `takes` is the body of a POST, the query of a GET; `fresh_s` is how long anybody
    may keep the answer."""

    name: str
    about: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    status: int
    refusals: tuple[int, ...]
    handler: Handler
    method: str = "POST"
    fresh_s: int = 0

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "HEAD") if self.method == "GET" else (self.method,)


CALLS: dict[str, Call] = {}


def call(
    name: str, takes: type[BaseModel], gives: type[BaseModel], *, status: int = 200, refusals: tuple[int, ...] = ()
) -> Callable[[Handler], Handler]:
    """Registers a handler `async (request, body) -> answer` as POST /api/{name}; its docstring is its description."""

    def register(handler: Handler) -> Handler:
        about = " ".join((handler.__doc__ or "").split())
        CALLS[name] = Call(name, about, takes, gives, status, (400, 403, 408, 413, 415, 422, *refusals), handler)
        return handler

    return register


def query(
    name: str, takes: type[BaseModel], gives: type[BaseModel], *, fresh_s: int = 0, refusals: tuple[int, ...] = ()
) -> Callable[[Handler], Handler]:
    """The same for a question: GET /api/{name}?…, changing nothing and the same for everyone."""

    def register(handler: Handler) -> Handler:
        about = " ".join((handler.__doc__ or "").split())
        CALLS[name] = Call(name, about, takes, gives, 200, (422, *refusals), handler, "GET", fresh_s)
        return handler

    return register


async def answer(request: web.Request) -> web.Response:
    """POST or GET /api/{name}."""
    found = CALLS.get(request.match_info["name"])
    if found is None:
        raise Problem(404, "There is no call of this name.")
    if request.method not in found.methods:
        raise Problem(405, f"Use {found.method}.", headers={"Allow": ", ".join(found.methods)})
    if found.method == "POST":
        origins.check(request)
    until = asyncio.get_running_loop().time() + request.app[keys.SETTINGS].call_deadline_ms / 1000
    asked = await read_model(request, found.takes) if found.method == "POST" else read_query(request, found.takes)
    try:
        async with asyncio.timeout_at(until):
            given = await found.handler(request, asked)
    except TimeoutError:
        raise Problem(503, "This took too long. Please try again.", headers={"Retry-After": "5"}) from None
    return web.Response(
        body=given.model_dump_json(by_alias=True).encode(),
        status=found.status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": f"public, max-age={found.fresh_s}" if found.fresh_s else "no-store"},
    )


def read_query(request: web.Request, model: type[BaseModel]) -> BaseModel:
    """Parameters the model does not name are ignored; of one that comes twice the first counts."""
    try:
        return model.model_validate({name: request.query[name] for name in model.model_fields if name in request.query})
    except ValidationError as error:
        raise Problem(422, errors=field_errors(error)) from None


async def read_model(request: web.Request, model: type[BaseModel]) -> BaseModel:
    if request.content_type != "application/json":
        raise Problem(415, "Send the body as application/json.")
    value = parse_json(await read_body(request))
    if not isinstance(value, dict):
        raise Problem(400, "The body must be a JSON object.")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Problem(422, errors=field_errors(error)) from None


async def read_body(request: web.Request) -> bytes:
    """At most BODY_LIMIT bytes, also after unpacking, within the call's deadline."""
    seconds = request.app[keys.SETTINGS].call_deadline_ms / 1000
    # Most bodies come together with their head: no clock is started for those.
    clock = nullcontext() if request.content.is_eof() else asyncio.timeout(seconds)
    try:
        async with clock:
            return await request.read()
    except TimeoutError:
        raise Problem(408, "The body did not arrive in time.", headers={"Connection": "close"}) from None
    except web.HTTPRequestEntityTooLarge:
        raise Problem(413, f"A body may have {BODY_LIMIT} bytes.") from None
    except (web.RequestPayloadError, ClientPayloadError, HttpProcessingError, ValueError):
        raise Problem(400, "The body is broken or not encoded as it says.") from None


def parse_json(data: bytes) -> Any:
    """Strict JSON: no NaN, no repeated keys, nothing too deep or too long to be meant. Raises Problem 400."""
    try:
        return _decoder.decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not valid JSON.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def field_errors(error: ValidationError) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        found.setdefault(".".join(str(part) for part in one["loc"]) or "body", one["msg"])
    return found


def _whole_number(value: Any) -> Any:
    """Ids come as numbers or as strings of digits; true is neither."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("must be a whole number")
    return value


def _loose_text(value: Any) -> Any:
    """Cookies hold text, scripts send numbers: both name the same thing."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) <= SAFE:
        return str(int(value))
    return value if isinstance(value, bool) or not isinstance(value, int | float) else str(value)


_ID_FORMS = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": SAFE}, {"type": "string", "pattern": "^[0-9]{1,15}$"}]
}
_TEXT_FORMS = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]}
Id = Annotated[int, BeforeValidator(_whole_number), Field(ge=0, le=SAFE), WithJsonSchema(_ID_FORMS, "validation")]
LooseText = Annotated[str, BeforeValidator(_loose_text), WithJsonSchema(_TEXT_FORMS, "validation")]

"""What comes in with a call: bytes within a limit and a deadline, strict JSON, a checked model."""

import asyncio
import json
from contextlib import nullcontext
from typing import Any, NoReturn

from aiohttp import ClientPayloadError, web
from aiohttp.http_exceptions import HttpProcessingError
from pydantic import BaseModel, ValidationError

from host import keys
from host.problems import Problem

BODY_LIMIT = 64 * 1024


def read_query(request: web.Request, model: type[BaseModel]) -> BaseModel:
    """Parameters the model does not name are ignored; of one that comes twice the first counts."""
    try:
        return model.model_validate({name: request.query[name] for name in model.model_fields if name in request.query})
    except ValidationError as error:
        raise Problem(422, errors=field_errors(error)) from None


async def read_model(request: web.Request, model: type[BaseModel], *, is_optional: bool = False) -> BaseModel:
    """`is_optional`: nothing at all counts as an empty object, however it is announced."""
    if is_optional and not request.body_exists:
        return model()
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

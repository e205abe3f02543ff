"""Reads the body or query of a call: size limit, deadline, strict JSON, validation by a model."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import nullcontext
from functools import lru_cache
from math import inf
from typing import Any, NoReturn, get_origin

from aiohttp import ClientPayloadError, web
from aiohttp.http_exceptions import HttpProcessingError
from pydantic import BaseModel, ValidationError

from host.app_keys import SETTINGS
from host.http.problems import Problem

BODY_LIMIT = 64 * 1024
# The largest body of calls of staff, who write lessons and pages. It is read after their permission was checked.
STAFF_BODY_LIMIT = 1024 * 1024
# A model whose fields allow more than so many times that, such as a list of long texts, is limited as a whole.
MOST_OF_FIELDS = 4
# A letter as JSON may write it: \u00e9. In UTF-8 none takes more.
LETTER_BYTES = 6


@lru_cache(512)
def limit_of(model: type[BaseModel], *, is_staff: bool) -> int:
    """How many bytes a body of this model may have: at least what its longest valid fields need."""
    default, largest = STAFF_BODY_LIMIT if is_staff else BODY_LIMIT, largest_body(model)
    return max(default, int(largest)) if largest <= MOST_OF_FIELDS * default else default


def largest_body(model: type[BaseModel]) -> float:
    """The bytes of the largest valid body as JSON without idle spaces; infinite where a field has no limit."""
    schema = model.model_json_schema()
    return _largest(schema, schema.get("$defs", {}))


def _largest(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> float:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        # A model within itself is limited by nothing.
        others = {key: value for key, value in definitions.items() if key != name}
        return _largest(definitions[name], others) if name in definitions else inf
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return max(_largest(choice, definitions) for choice in choices)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values:
        return max(len(json.dumps(value)) for value in values)
    return _largest_of_type(schema, definitions)


def _largest_of_type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> float:
    kind = schema.get("type")
    if kind == "string":
        # Times, and forms such as that of an id, are short.
        short = 40 if "format" in schema or "pattern" in schema else inf
        return schema["maxLength"] * LETTER_BYTES + 2 if "maxLength" in schema else short
    if kind == "array":
        item = _largest(schema["items"], definitions) + 1
        return 2 + schema["maxItems"] * item if "maxItems" in schema else inf
    if kind == "object":
        names = schema.get("properties", {})
        if isinstance(schema.get("additionalProperties"), Mapping):
            return inf
        return 2 + sum(len(name) + 4 + _largest(value, definitions) for name, value in names.items())
    return {"integer": 20, "number": 25, "boolean": 5, "null": 4}.get(str(kind), inf)


def read_query(request: web.Request, model: type[BaseModel]) -> BaseModel:
    """Validate the query by `model`. Unknown parameters are ignored; of a repeated one the first counts, unless it is a
    list. Raises Problem 422."""
    given: dict[str, object] = {}
    for name, field in model.model_fields.items():
        if name in request.query:
            is_list = get_origin(field.annotation) is list
            given[name] = request.query.getall(name) if is_list else request.query[name]
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise Problem(422, errors=field_errors(error)) from None


async def read_model(
    request: web.Request, model: type[BaseModel], *, is_optional: bool = False, limit: int = BODY_LIMIT
) -> BaseModel:
    """Validate the JSON body by `model`. `is_optional`: a missing body counts as an empty object, whatever its
    Content-Type. Raises Problem 400, 408, 413, 415 or 422."""
    if is_optional and not request.body_exists:
        return model()
    if request.content_type != "application/json":
        raise Problem(415, "Send the body as application/json.")
    value = parse_json(await read_body(request, limit))
    if not isinstance(value, dict):
        raise Problem(400, "The body must be a JSON object.")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Problem(422, errors=field_errors(error)) from None


async def read_body(request: web.Request, limit: int = BODY_LIMIT) -> bytes:
    """Return at most `limit` bytes, also after decompression, within the call's deadline. Raises Problem 400, 408
    or 413."""
    seconds = request.app[SETTINGS].call_deadline_ms / 1000
    # Most bodies arrive together with the headers: those need no timer.
    timer = nullcontext() if request.content.is_eof() else asyncio.timeout(seconds)
    try:
        async with timer:
            return await (request if limit == BODY_LIMIT else request.clone(client_max_size=limit)).read()
    except TimeoutError:
        raise Problem(408, "The body did not arrive in time.", headers={"Connection": "close"}) from None
    except web.HTTPRequestEntityTooLarge:
        raise Problem(413, f"The body must not exceed {limit} bytes.") from None
    except (web.RequestPayloadError, ClientPayloadError, HttpProcessingError, ValueError):
        raise Problem(400, "The body is malformed or does not match its encoding.") from None


async def read_form(request: web.Request) -> dict[str, str]:
    """The fields of a plain form; of a repeated one the last. Raises Problem 400, 408, 413 or 415."""
    if request.content_type != "application/x-www-form-urlencoded":
        raise Problem(415, "Send the form with the content type application/x-www-form-urlencoded.")
    await read_body(request)
    try:
        fields = await request.post()
    except (ValueError, LookupError):
        raise Problem(400, "The form is not in the character set that it declares.") from None
    return {name: str(value) for name, value in fields.items()}


def parse_json(data: bytes) -> Any:
    """Parse strict JSON: no NaN, no repeated keys, no nesting or numbers beyond the parser's limits. Raises Problem
    400."""
    try:
        return _decoder.decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not valid JSON.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is repeated")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def field_errors(error: ValidationError) -> dict[str, str]:
    """The first message for each field, by its path."""
    messages: dict[str, str] = {}
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        messages.setdefault(".".join(str(part) for part in item["loc"]) or "body", item["msg"])
    return messages

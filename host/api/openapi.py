"""GET /openapi.json: every call with every answer."""

import re
from functools import lru_cache
from typing import Any

from aiohttp import web
from pydantic.json_schema import models_json_schema

from host import calls, keys
from host.problems import TITLES
from host.sessions import half_name

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
_BEARER = {"type": "http", "scheme": "bearer", "description": "userInfo.accessToken"}
_REF = "#/components/schemas/{model}"


async def document(request: web.Request) -> web.Response:
    settings = request.app[keys.SETTINGS]
    return web.json_response(
        _made(settings.site_name, half_name(settings)), headers={"Cache-Control": "public, max-age=300"}
    )


@lru_cache(1)
def _made(name: str, half_name: str) -> dict[str, Any]:
    half = {"type": "apiKey", "in": "cookie", "name": half_name, "description": "the HttpOnly half of a sign-in"}
    models = [(one.takes, "validation") for one in calls.CALLS.values() if one.method != "GET"]
    models += [(one.gives, "serialization") for one in calls.CALLS.values()]
    refs, definitions = models_json_schema(models, ref_template=_REF)  # type: ignore[arg-type]
    schemas = {**definitions.get("$defs", {}), "Problem": _PROBLEM}
    paths: dict[str, Any] = {}
    for one in calls.CALLS.values():
        paths.setdefault(f"/api/{one.name}", {})[one.method.lower()] = _operation(one, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"{name}: calls", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"bearer": _BEARER, "half": half}},
    }


def _operation(one: calls.Call, refs: Any) -> dict[str, Any]:
    answers: dict[str, Any] = {
        str(one.status): {
            "description": "Done",
            "content": {"application/json": {"schema": refs[(one.gives, "serialization")]}},
        }
    }
    for status in sorted({*one.refusals, 405}):
        answers[str(status)] = {
            "description": TITLES[status],
            "content": {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}},
        }
    made: dict[str, Any] = {"operationId": _id_of(one), "summary": one.about, "responses": answers}
    if one.who == "learner":
        # Both at once, not either.
        made["security"] = [{"bearer": [], "half": []}]
    form = _TEXT_ID if one.has_text_ids else _NUMBER_ID
    parameters = [{"name": name, "in": "path", "required": True, "schema": form} for name in one.ids]
    if one.method == "GET":
        return {**made, "parameters": [*parameters, *_parameters(one)]}
    content = {"application/json": {"schema": refs[(one.takes, "validation")]}}
    return {**made, "parameters": parameters, "requestBody": {"required": not one.is_body_optional, "content": content}}


_NUMBER_ID = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
_TEXT_ID = {"type": "string", "pattern": f"^{calls.TEXT_ID}$"}


def _id_of(one: calls.Call) -> str:
    """Such as cart_lines_id_put: a path may be called in several ways."""
    return re.sub(r"\W+", "_", one.name).strip("_") + ("" if one.method == "POST" else f"_{one.method.lower()}")


def _parameters(one: calls.Call) -> list[dict[str, Any]]:
    schema = one.takes.model_json_schema()
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": about}
        for name, about in schema.get("properties", {}).items()
    ]

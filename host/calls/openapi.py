"""GET /openapi.json: every call with every answer."""

from functools import lru_cache
from typing import Any

from aiohttp import web
from pydantic.json_schema import models_json_schema

from host import calls, keys
from host.problems import TITLES

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
_REF = "#/components/schemas/{model}"


async def document(request: web.Request) -> web.Response:
    settings = request.app[keys.SETTINGS]
    return web.json_response(_made(settings.site_name), headers={"Cache-Control": "public, max-age=300"})


@lru_cache(1)
def _made(name: str) -> dict[str, Any]:
    models = [(one.takes, "validation") for one in calls.CALLS.values() if one.method == "POST"]
    models += [(one.gives, "serialization") for one in calls.CALLS.values()]
    refs, definitions = models_json_schema(models, ref_template=_REF)  # type: ignore[arg-type]
    schemas = {**definitions.get("$defs", {}), "Problem": _PROBLEM}
    paths = {f"/api/{one.name}": {one.method.lower(): _operation(one, refs)} for one in calls.CALLS.values()}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"{name}: calls", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
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
    made = {"operationId": one.name.replace("/", "_"), "summary": one.about, "responses": answers}
    if one.method == "GET":
        return {**made, "parameters": _parameters(one)}
    body = {"required": True, "content": {"application/json": {"schema": refs[(one.takes, "validation")]}}}
    return {**made, "requestBody": body}


def _parameters(one: calls.Call) -> list[dict[str, Any]]:
    schema = one.takes.model_json_schema()
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": about}
        for name, about in schema["properties"].items()
    ]

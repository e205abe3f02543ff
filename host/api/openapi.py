"""GET /openapi.json: every call with all its responses."""

import json
import re
from functools import lru_cache
from typing import Any

from aiohttp import web
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from host.api import registry
from host.api.authorization import IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY, CallPolicy
from host.app_keys import SETTINGS
from host.auth.sessions import session_cookie_name
from host.http.problems import TITLES

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {"type": "object", "additionalProperties": {"type": "string"}},
        "conflict": {"$ref": "#/components/schemas/Conflict"},
        "key": {"type": "string", "description": "A new key for the form, of calls of the checkout."},
        "checkout": {"$ref": "#/components/schemas/Checkout"},
    },
}
# host/http/problems.py:version_conflict makes it.
_CONFLICT = {
    "type": "object",
    "description": "What somebody else saved meanwhile. `values`: by the names of the fields in the request.",
    "required": ["version", "changedBy", "changedAt", "values"],
    "properties": {
        "version": {"type": "integer"},
        "changedBy": {"type": "string"},
        "changedAt": {"type": "string", "format": "date-time"},
        "values": {"type": "object", "additionalProperties": True},
    },
}
_BEARER = {"type": "http", "scheme": "bearer", "description": "userInfo.accessToken"}
REF = "#/components/schemas/{model}"


async def document(request: web.Request) -> web.Response:
    settings = request.app[SETTINGS]
    body = _encoded(settings.site_name, session_cookie_name(settings))
    headers = {"Cache-Control": "public, max-age=300"}
    return web.Response(body=body, content_type="application/json", charset="utf-8", headers=headers)


class ResponseSchema(GenerateJsonSchema):
    """Marks all fields of a response model as required: fields with a default are always sent."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        is_sent = self.mode == "serialization" and field["type"] == "model-field"
        return is_sent or super().field_is_required(field, total)


@lru_cache(1)
def _encoded(site_name: str, cookie_name: str) -> bytes:
    """The document as it is sent: 600 KB that are encoded once."""
    return json.dumps(describe(site_name, cookie_name)).encode()


@lru_cache(1)
def describe(site_name: str, cookie_name: str) -> dict[str, Any]:
    """The OpenAPI document of all calls registered so far."""
    cookie = {"type": "apiKey", "in": "cookie", "name": cookie_name, "description": "the HttpOnly session cookie"}
    calls = registry.CALLS.values()
    models: dict[tuple[type[Any], JsonSchemaMode], None] = {}
    models |= {(call.request_model, "validation"): None for call in calls if call.method != "GET"}
    models |= {(call.response_model, "serialization"): None for call in calls}
    adapters: list[tuple[Any, JsonSchemaMode, TypeAdapter[Any]]]
    adapters = [(kind, mode, TypeAdapter[Any](kind)) for kind, mode in models]
    refs, definitions = TypeAdapter.json_schemas(adapters, ref_template=REF, schema_generator=ResponseSchema)
    schemas = {**definitions.get("$defs", {}), "Problem": _PROBLEM, "Conflict": _CONFLICT}
    paths: dict[str, Any] = {}
    for call in calls:
        paths.setdefault(f"/api/{call.name}", {})[call.method.lower()] = _operation(call, refs)
    paths |= {f"/api/{row.name}": {"get": _redirect(row)} for row in registry.REDIRECTS.values()}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"{site_name}: calls", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"bearer": _BEARER, "sessionCookie": cookie}},
    }


def _operation(call: registry.Call, refs: Any) -> dict[str, Any]:
    responses: dict[str, Any] = {
        str(call.status): {
            "description": "Done",
            "content": {"application/json": {"schema": refs[(call.response_model, "serialization")]}},
        }
    }
    for status in sorted({*call.refusals, 405}):
        responses[str(status)] = {
            "description": TITLES[status],
            "content": {"application/problem+json": {"schema": {"$ref": REF.format(model="Problem")}}},
        }
    operation: dict[str, Any] = {
        "operationId": _operation_id(call.name, call.method),
        "summary": call.summary,
        "responses": responses,
    }
    operation |= _policy(call.policy)
    parameters = _header_and_path_parameters(call)
    if call.method == "GET":
        return {**operation, "parameters": [*parameters, *_parameters(call.request_model)]}
    content = {"application/json": {"schema": refs[(call.request_model, "validation")]}}
    return {
        **operation,
        "parameters": parameters,
        "requestBody": {"required": not call.is_body_optional, "content": content},
    }


def _policy(policy: CallPolicy) -> dict[str, Any]:
    """Who may make the call. OpenAPI 3.1 lets each credential list what its holder must be allowed."""
    if policy.caller == "anyone":
        return {}
    required = [policy.permission.value] if policy.permission else []
    # One object with two members: both credentials are required.
    security = {"security": [{"bearer": required, "sessionCookie": required}]}
    return {**security, "x-area": policy.area} if policy.area else security


def _header_and_path_parameters(call: registry.Call) -> list[dict[str, Any]]:
    schema = _TEXT_ID if call.has_text_ids else _NUMBER_ID
    ids = [{"name": name, "in": "path", "required": True, "schema": schema} for name in call.ids]
    return [*ids, _IDEMPOTENCY_KEY] if call.policy.is_idempotent else ids


_NUMBER_ID = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
_IDEMPOTENCY_KEY = {
    "name": IDEMPOTENCY_HEADER,
    "in": "header",
    "required": True,
    "description": "A new one for each intention; a request sent again with the same one acts once.",
    "schema": {"type": "string", "pattern": f"^{IDEMPOTENCY_KEY}$"},
}
_TEXT_ID = {"type": "string", "pattern": f"^{registry.TEXT_ID}$"}


def _redirect(row: registry.RedirectCall) -> dict[str, Any]:
    location = {"Location": {"description": "the page to go to", "required": True, "schema": {"type": "string"}}}
    return {
        "operationId": _operation_id(row.name, "GET"),
        "summary": row.summary,
        "parameters": _parameters(row.query_model),
        "responses": {"303": {"description": "Go to another page", "headers": location}},
    }


def _operation_id(name: str, method: str) -> str:
    """An id such as cart_lines_id_put: the method keeps calls of the same path apart."""
    return re.sub(r"\W+", "_", name).strip("_") + ("" if method == "POST" else f"_{method.lower()}")


def _parameters(query_model: type[BaseModel]) -> list[dict[str, Any]]:
    schema = query_model.model_json_schema()
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": field_schema}
        for name, field_schema in schema.get("properties", {}).items()
    ]

"""A call's request, its response, and the error formats of the provider's APIs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Protocol
from urllib.parse import parse_qsl

from sqlalchemy.orm import Session

from standins.identity import opaque_tokens
from standins.identity.clients import Client

Json = dict[str, Any]


class ProviderFacts(Protocol):
    """What handlers use of the provider (standins/identity/provider.py)."""

    origin: str
    clients: dict[str, Client]
    policies: Json

    def issuer(self, server: str) -> str:
        """`server` is "" for the org issuer, else the name of a custom one."""


@dataclass
class IdentityResponse:
    """An HTTP response. `cookies`: name -> value, None deletes the cookie."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str | None] = field(default_factory=dict)


@dataclass
class IdentityCall:
    """One complete request with its database session. `now` is in seconds since 1970."""

    provider: ProviderFacts
    session: Session
    now: float
    method: str
    path: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Json:
        """The JSON body, {} without one. Raises ApiError unless it is a JSON object with a JSON content type."""
        if not self.body.strip():
            return {}
        if "json" not in self.headers.get("Content-Type", "").lower():
            raise IdentityApiError(
                "E0000021", 415, "Bad request. Accept and/or Content-Type headers are likely not set."
            )
        try:
            body = json.loads(self.body)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise IdentityApiError("E0000003", 400, "The request body was not well-formed.")
        return body

    @cached_property
    def form(self) -> dict[str, str]:
        """The body as form fields. Of a repeated field the last value counts."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    def seconds(self, name: str) -> float:
        """A lifetime from the policies, in seconds."""
        return float(self.provider.policies["seconds"][name])


class CallRefused(Exception):
    """An error response. The call's transaction is still committed, so that failed attempts count."""

    def response(self) -> IdentityResponse:
        raise NotImplementedError


class IdentityApiError(CallRefused):
    """The error format of authn, MyAccount and sessions."""

    def __init__(self, code: str, status: int, summary: str, *causes: str, headers: dict[str, str] | None = None):
        super().__init__(summary)
        self.code, self.status, self.summary, self.causes = code, status, summary, causes
        self.headers = headers or {}

    def response(self) -> IdentityResponse:
        body = {
            "errorCode": self.code,
            "errorSummary": self.summary,
            "errorLink": self.code,
            "errorId": opaque_tokens.new_id("oae"),
            "errorCauses": [{"errorSummary": cause} for cause in self.causes],
        }
        return json_response(body, self.status, self.headers)


class OAuthError(CallRefused):
    """The error format of the OAuth endpoints. It always has a description: clients rely on it."""

    def __init__(self, error: str, description: str, status: int = 400):
        super().__init__(description)
        self.error, self.description, self.status = error, description, status

    def response(self) -> IdentityResponse:
        body = {"error": self.error, "error_description": self.description}
        return json_response(body, self.status, {"Cache-Control": "no-store"})


class BearerError(CallRefused):
    """A bearer token is missing, invalid or insufficient. `more`: other header parameters, such as max_age."""

    def __init__(self, status: int, error: str, description: str, **more: str):
        super().__init__(description)
        self.status, self.pairs = status, {"error": error, "error_description": description, **more}

    def response(self) -> IdentityResponse:
        header = "Bearer " + ", ".join(f'{name}="{value}"' for name, value in self.pairs.items())
        code, summary = ("E0000015", "Not permitted") if self.status == 403 else ("E0000011", "Invalid token provided")
        return IdentityApiError(code, self.status, summary, headers={"WWW-Authenticate": header}).response()


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> IdentityResponse:
    return IdentityResponse(status, json.dumps(body).encode(), headers={"Cache-Control": "no-store", **(headers or {})})


def redirect(address: str) -> IdentityResponse:
    """A 302. The URL may hold a code, so no Referer may pass it on."""
    headers = {"Location": address, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return IdentityResponse(302, headers=headers, content_type="text/plain")


def iso_utc(at: float) -> str:
    """A time in seconds since 1970 as ISO 8601 in UTC with milliseconds."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def not_found() -> IdentityApiError:
    return IdentityApiError("E0000007", 404, "Not found: Resource not found")


def text_of(values: Mapping[str, Any], name: str) -> str:
    """A string of a JSON object, "" for any other value."""
    value = values.get(name)
    return value if isinstance(value, str) else ""


def object_of(values: Mapping[str, Any], name: str) -> Json:
    value = values.get(name)
    return value if isinstance(value, dict) else {}

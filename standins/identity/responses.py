"""What a call brings, what it is answered with, and the shapes of a no."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from sqlalchemy.orm import Session

from standins.identity import opaque

if TYPE_CHECKING:
    from standins.identity.provider import Provider

Json = dict[str, Any]


@dataclass
class Answer:
    """`cookies`: name -> value, None to forget it."""

    status: int = 200
    body: bytes = b""
    media: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str | None] = field(default_factory=dict)


@dataclass
class Call:
    """One request, read whole, with the records it works on. `now` is in seconds since 1970."""

    provider: "Provider"
    session: Session
    now: float
    method: str
    path: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    raw: bytes

    @cached_property
    def json(self) -> Json:
        """The body; {} without one. Raises ApiError when it is no JSON object or is not called JSON."""
        if not self.raw.strip():
            return {}
        if "json" not in self.headers.get("Content-Type", "").lower():
            raise ApiError("E0000021", 415, "Bad request. Accept and/or Content-Type headers are likely not set.")
        try:
            body = json.loads(self.raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise ApiError("E0000003", 400, "The request body was not well-formed.")
        return body

    @cached_property
    def form(self) -> dict[str, str]:
        """The body as form fields; of repeated ones the last."""
        return dict(parse_qsl(self.raw.decode("utf-8", "replace"), keep_blank_values=True))

    def seconds(self, name: str) -> float:
        """A life time of the policies."""
        return float(self.provider.policies["seconds"][name])


class Refusal(Exception):
    """A no that is an answer: what the call counted before it stays counted."""

    def answer(self) -> Answer:
        raise NotImplementedError


class ApiError(Refusal):
    """Shape of authn, MyAccount and sessions."""

    def __init__(self, code: str, status: int, summary: str, *causes: str, headers: dict[str, str] | None = None):
        super().__init__(summary)
        self.code, self.status, self.summary, self.causes = code, status, summary, causes
        self.headers = headers or {}

    def answer(self) -> Answer:
        body = {
            "errorCode": self.code,
            "errorSummary": self.summary,
            "errorLink": self.code,
            "errorId": opaque.new_id("oae"),
            "errorCauses": [{"errorSummary": cause} for cause in self.causes],
        }
        return reply(body, self.status, self.headers)


class OAuthError(Refusal):
    """Shape of the OAuth endpoints; a description is never left out, clients rely on it."""

    def __init__(self, error: str, description: str, status: int = 400):
        super().__init__(description)
        self.error, self.description, self.status = error, description, status

    def answer(self) -> Answer:
        body = {"error": self.error, "error_description": self.description}
        return reply(body, self.status, {"Cache-Control": "no-store"})


class BearerError(Refusal):
    """A token that is missing, wrong or not enough; `more` goes into the header too, such as max_age."""

    def __init__(self, status: int, error: str, description: str, **more: str):
        super().__init__(description)
        self.status, self.pairs = status, {"error": error, "error_description": description, **more}

    def answer(self) -> Answer:
        header = "Bearer " + ", ".join(f'{name}="{value}"' for name, value in self.pairs.items())
        code, summary = ("E0000015", "Not permitted") if self.status == 403 else ("E0000011", "Invalid token provided")
        return ApiError(code, self.status, summary, headers={"WWW-Authenticate": header}).answer()


def reply(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    return Answer(status, json.dumps(body).encode(), headers={"Cache-Control": "no-store", **(headers or {})})


def redirect(address: str) -> Answer:
    """The address may carry a code: nobody else is to learn it from the Referer."""
    headers = {"Location": address, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return Answer(302, headers=headers, media="text/plain")


def iso(at: float) -> str:
    """UTC with milliseconds."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def missing() -> ApiError:
    return ApiError("E0000007", 404, "Not found: Resource not found")


def text_of(values: Mapping[str, Any], name: str) -> str:
    """A text of a JSON body, "" for anything else."""
    value = values.get(name)
    return value if isinstance(value, str) else ""


def object_of(values: Mapping[str, Any], name: str) -> Json:
    value = values.get(name)
    return value if isinstance(value, dict) else {}

"""Error responses of calls as application/problem+json (RFC 9457)."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import web

TITLES = {
    400: "The request cannot be read",
    401: "Sign in first",
    403: "This is not allowed",
    404: "There is no such call",
    405: "Method not allowed",
    408: "The request took too long to arrive",
    413: "The request is too large",
    415: "Send JSON",
    409: "This is not possible at this point",
    410: "No longer available",
    422: "Some fields are invalid",
    429: "Too many requests",
    500: "Something went wrong on our side",
    503: "The site is temporarily unavailable",
}


def body(status: int, detail: str = "", errors: dict[str, str] | None = None) -> dict[str, Any]:
    title = TITLES.get(status, HTTPStatus(status).phrase)
    members: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail or title + "."}
    return members if errors is None else {**members, "errors": errors}


def problem(
    status: int,
    detail: str = "",
    errors: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
    **members: Any,
) -> web.Response:
    return web.Response(
        status=status,
        body=orjson.dumps({**members, **body(status, detail, errors)}, option=orjson.OPT_UTC_Z),
        content_type="application/problem+json",
        charset="utf-8",
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


class Problem(Exception):
    """An error response, raised anywhere below a call; `problem_middleware` sends it."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        errors: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        cookies: dict[str, tuple[str, dict[str, Any]]] | None = None,
        **members: Any,
    ):
        """`cookies`: to set with the response, as in request_keys.COOKIES. `members`: extension members of the body
        (RFC 9457 §3.2)."""
        super().__init__(detail)
        self.status, self.detail, self.errors, self.headers = status, detail, errors, headers
        self.cookies, self.members = cookies or {}, members

    def response(self) -> web.Response:
        response = problem(self.status, self.detail, self.errors, self.headers, **self.members)
        for name, (value, attributes) in self.cookies.items():
            response.set_cookie(name, value, **attributes)
        return response


def version_conflict(version: int, changed_by: str, changed_at: datetime, values: dict[str, Any]) -> Problem:
    """409: the request's `version` is not the stored one. `version`, `changed_by` and `values` are those of what is
    stored; `values` has the fields of the request, by the same names."""
    conflict = {"version": version, "changedBy": changed_by, "changedAt": changed_at, "values": values}
    return Problem(409, "Somebody else has saved a newer version.", conflict=conflict)


class RateLimited(Exception):
    """A rate limit is reached; the next window begins in `retry_after_s` seconds."""

    def __init__(self, retry_after_s: int):
        super().__init__("Too many requests. Please wait a moment.")
        self.retry_after_s = retry_after_s

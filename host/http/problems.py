"""application/problem+json (RFC 9457): how everything but success is said to a program."""

from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import web

TITLES = {
    400: "The request cannot be read",
    401: "Sign in first",
    403: "This is not allowed",
    404: "There is no such call",
    405: "This call is made with another method",
    408: "The request took too long to arrive",
    413: "The request is too large",
    415: "Send JSON",
    409: "This cannot be done at this point",
    410: "This is over",
    422: "Some fields need another look",
    429: "Too many requests",
    500: "Something went wrong on our side",
    503: "Not available just now",
}


def body(status: int, detail: str = "", errors: dict[str, str] | None = None) -> dict[str, Any]:
    title = TITLES.get(status, HTTPStatus(status).phrase)
    made: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail or title + "."}
    return made if errors is None else {**made, "errors": errors}


def problem(
    status: int,
    detail: str = "",
    errors: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
    **members: Any,
) -> web.Response:
    return web.Response(
        status=status,
        body=orjson.dumps({**members, **body(status, detail, errors)}),
        content_type="application/problem+json",
        charset="utf-8",
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


class Problem(Exception):
    """Raised anywhere below a call; the middleware says it."""

    def __init__(
        self,
        status: int,
        detail: str = "",
        errors: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        cookies: dict[str, tuple[str, dict[str, Any]]] | None = None,
        **members: Any,
    ):
        """`cookies`: as a call's answer brings them (keys.COOKIES); `members`: further ones of the body, as RFC 9457
        has them."""
        super().__init__(detail)
        self.status, self.detail, self.errors, self.headers = status, detail, errors, headers
        self.cookies, self.members = cookies or {}, members

    def response(self) -> web.Response:
        made = problem(self.status, self.detail, self.errors, self.headers, **self.members)
        for name, (value, attributes) in self.cookies.items():
            made.set_cookie(name, value, **attributes)
        return made

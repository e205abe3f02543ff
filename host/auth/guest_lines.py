"""The lines of a guest's cart as cookies: /logincallback merges them before the next page reads the account's cart.

With script the browser keeps SCRIPT_COOKIE up to date, which is sent to the callback alone
(components/browser/storage/cartStorage.ts). Without script the host sets PLAIN_COOKIE when a guest adds something.
Neither is trusted: they name products and quantities, which anybody may add.
"""

import re
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from domain.cart.lines import MAX_LINES
from domain.cart.owners import RequestedLine, requested_lines
from host.app_keys import SETTINGS
from host.http.request_keys import Cookies

SCRIPT_COOKIE, PLAIN_COOKIE = "guest_lines", "plain_lines"
# Where the browser's script sets its cookie.
SCRIPT_PATH = "/logincallback"
# Without script; so many fit into the address of the cart that shows them (domain.routes.MAX_VALUE_LENGTH).
MAX_PLAIN_LINES = 20
_LINE = re.compile(r"(\d{1,15})\*([1-9]\d?)", re.ASCII)
# An id, "*", a quantity, and the point between two lines.
_MAX_LENGTH = MAX_LINES * 19


def from_text(text: str) -> list[RequestedLine]:
    """The lines of a text such as "65*2.12*1": products 65, twice, and 12. Empty for any other text."""
    matches = [_LINE.fullmatch(part) for part in text.split(".")] if 0 < len(text) <= _MAX_LENGTH else []
    if not all(matches):
        return []
    return requested_lines((int(match[1]), int(match[2])) for match in matches if match)[:MAX_LINES]


def to_text(lines: Iterable[RequestedLine]) -> str:
    return ".".join(f"{line.id}*{line.quantity}" for line in lines)


def address(lines: Iterable[RequestedLine]) -> str:
    """The cart's page with these lines beside it: each can be added by a press."""
    return f"/cart?kept={to_text(lines)}"


def waiting_lines(request: web.Request) -> list[RequestedLine]:
    """The lines of both cookies, each product once."""
    both = [*plain_lines(request), *from_text(request.cookies.get(SCRIPT_COOKIE, ""))]
    return requested_lines((line.id, line.quantity) for line in both)[:MAX_LINES]


def plain_lines(request: web.Request) -> list[RequestedLine]:
    """The lines that a guest has added without script."""
    return from_text(request.cookies.get(PLAIN_COOKIE, ""))


def plain_cookie(request: web.Request, lines: Iterable[RequestedLine]) -> Cookies:
    """The cookie with the lines that a guest has added without script. It ends with the browser's session."""
    return {PLAIN_COOKIE: (to_text(lines), {**_common(request), "path": "/", "httponly": True})}


def cleared(request: web.Request) -> Cookies:
    """The deletion of both cookies."""
    common = {**_common(request), "max_age": 0}
    return {
        PLAIN_COOKIE: ("", {**common, "path": "/", "httponly": True}),
        SCRIPT_COOKIE: ("", {**common, "path": SCRIPT_PATH}),
    }


def _common(request: web.Request) -> dict[str, Any]:
    return {"samesite": "Lax", "secure": request.app[SETTINGS].is_secure}

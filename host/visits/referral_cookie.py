"""The cookie `referral`: /d and /s set it to the event id of their own visit, which the next visit then refers to."""

from uuid import UUID

from aiohttp import web

from host.app_keys import SETTINGS
from host.http import request_keys

NAME = "referral"
# The one call that gets the cookie.
PATH = "/api/SetAAUserTraceLog"
# Long enough for the page that a link leads to, and over before the same browser opens many others.
MAX_AGE_S = 120


def set_referral(request: web.Request, response: web.Response, event_id: str) -> None:
    is_secure = request.app[SETTINGS].is_secure
    response.set_cookie(NAME, event_id, max_age=MAX_AGE_S, path=PATH, samesite="Lax", secure=is_secure, httponly=True)


def take_referral(request: web.Request) -> str | None:
    """The event id in the cookie, None without a valid one. The response removes the cookie: one visit takes it."""
    if NAME not in request.headers.get("Cookie", "") or NAME not in request.cookies:
        return None
    removed = {"max_age": 0, "path": PATH, "samesite": "Lax", "secure": request.app[SETTINGS].is_secure}
    request.setdefault(request_keys.COOKIES, {})[NAME] = ("", removed)
    try:
        return str(UUID(request.cookies[NAME]))
    except ValueError:
        return None

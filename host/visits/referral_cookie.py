"""The cookie `referral`: /d and /s set it to the event id of their own visit, which the next visit then refers to."""

import time
from collections import OrderedDict
from uuid import UUID

from aiohttp import web

from host.app_keys import SETTINGS
from host.http import request_keys

NAME = "referral"
# The one call that gets the cookie.
PATH = "/api/SetAAUserTraceLog"
# Long enough for the page that a link leads to, and over before the same browser opens many others.
MAX_AGE_S = 120
# Links that a process remembers: anybody can send cookies.
MAX_TAKEN = 10_000


def set_referral(request: web.Request, response: web.Response, event_id: str) -> None:
    is_secure = request.app[SETTINGS].is_secure
    response.set_cookie(NAME, event_id, max_age=MAX_AGE_S, path=PATH, samesite="Lax", secure=is_secure, httponly=True)


class TakenReferrals:
    """Which visit was the first to take a link: a page that is opened before that visit was answered sends the cookie
    too. Of this process; forgotten when the cookie is."""

    def __init__(self) -> None:
        # Event id of the link -> that of the visit, and when it was taken: the oldest first.
        self._visits: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def is_first(self, link_id: str, visit_id: str, now: float) -> bool:
        """Also for the same visit sent again. `now`: in seconds, of a clock that only goes on."""
        while self._visits and next(iter(self._visits.values()))[1] < now - MAX_AGE_S:
            self._visits.popitem(last=False)
        first, _ = self._visits.setdefault(link_id, (visit_id, now))
        if len(self._visits) > MAX_TAKEN:
            self._visits.popitem(last=False)
        return first == visit_id


TAKEN_REFERRALS = web.AppKey("taken_referrals", TakenReferrals)


def take_referral(request: web.Request, visit_id: str) -> str | None:
    """The event id in the cookie, None without a valid one. The response removes the cookie: one visit takes it."""
    if NAME not in request.headers.get("Cookie", "") or NAME not in request.cookies:
        return None
    removed = {"max_age": 0, "path": PATH, "samesite": "Lax", "secure": request.app[SETTINGS].is_secure}
    request.setdefault(request_keys.COOKIES, {})[NAME] = ("", removed)
    try:
        link_id = str(UUID(request.cookies[NAME]))
    except ValueError:
        return None
    return link_id if request.app[TAKEN_REFERRALS].is_first(link_id, visit_id, time.monotonic()) else None

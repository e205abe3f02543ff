"""The return cookie: which orders were placed in this browser, for whoever comes back from paying after their sign-in
has ended. It shows the state of such an order and nothing else of it.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

from config.settings import Settings
from host.app_keys import SETTINGS
from host.http import request_keys
from host.http.request_keys import Cookies

# The newest ones: an order, and those that it superseded.
MAX_ENTRIES = 3
SEPARATOR = "~"
# Order, learner, second of its expiry, HMAC.
_ENTRY = re.compile(r"([0-9A-Z]{1,20})\.(\d{1,19})\.(\d{1,10})\.([\w-]{43})", re.ASCII)
# Nothing longer is ours.
_MAX_LENGTH = MAX_ENTRIES * 100


@dataclass(frozen=True)
class ReturnEntry:
    """An order that was placed in this browser, and its learner."""

    code: str
    learner_id: int
    expires_at: datetime


class ReturnEntries:
    """Signs and checks entries. The HMAC's own key is derived from `secret`, the application's, for this use alone."""

    def __init__(self, secret: str):
        self._key = hmac.digest(secret.encode(), b"coursefront: return cookie", "sha256")

    def to_text(self, entries: Iterable[ReturnEntry]) -> str:
        return SEPARATOR.join(self._signed(entry) for entry in entries)

    def from_text(self, text: str, at: datetime) -> tuple[ReturnEntry, ...]:
        """The entries in the cookie's text that are ours and have not expired."""
        if len(text) > _MAX_LENGTH:
            return ()
        parsed = (self._entry(part) for part in text.split(SEPARATOR))
        return tuple(entry for entry in parsed if entry is not None and at < entry.expires_at)

    def _signed(self, entry: ReturnEntry) -> str:
        text = f"{entry.code}.{entry.learner_id}.{int(entry.expires_at.timestamp())}"
        return f"{text}.{self._mac(text)}"

    def _entry(self, signed: str) -> ReturnEntry | None:
        match = _ENTRY.fullmatch(signed)
        if match is None or not hmac.compare_digest(match[4], self._mac(signed.rpartition(".")[0])):
            return None
        return ReturnEntry(match[1], int(match[2]), datetime.fromtimestamp(int(match[3]), UTC))

    def _mac(self, text: str) -> str:
        mac = hmac.digest(self._key, text.encode(), "sha256")
        return urlsafe_b64encode(mac).decode().rstrip("=")


RETURN_ENTRIES = web.AppKey("return_entries", ReturnEntries)


def cookie_name(settings: Settings) -> str:
    return "__Host-return" if settings.is_secure else "return"


def entries(request: web.Request, at: datetime) -> tuple[ReturnEntry, ...]:
    """The orders that were placed in this browser and have not expired, the newest first."""
    text = request.cookies.get(cookie_name(request.app[SETTINGS]), "")
    return request.app[RETURN_ENTRIES].from_text(text, at) if text else ()


def entry_of(request: web.Request, code: str, at: datetime) -> ReturnEntry | None:
    """The entry of an order, for somebody who is not signed in; whoever is signed in needs none."""
    return next((entry for entry in entries(request, at) if entry.code == code.upper()), None)


def add(request: web.Request, response: web.StreamResponse, code: str, learner_id: int, at: datetime) -> None:
    """Set the cookie with this order first. Entries of other learners are dropped."""
    value, attributes = _cookie(request, code, learner_id, at)
    response.set_cookie(cookie_name(request.app[SETTINGS]), value, **attributes)


def add_to_call(request: web.Request, code: str, learner_id: int, at: datetime) -> None:
    """Set the cookie with this order first, with the response of a call. Entries of other learners are dropped."""
    cookies = request.setdefault(request_keys.COOKIES, {})
    cookies[cookie_name(request.app[SETTINGS])] = _cookie(request, code, learner_id, at)


def clear(response: web.StreamResponse, settings: Settings) -> None:
    response.set_cookie(cookie_name(settings), "", **_attributes(settings, 0))


def cleared_for(request: web.Request, learner_id: int, at: datetime) -> Cookies:
    """What a sign-in of this learner sets: the deletion of the cookie if it is somebody else's."""
    settings = request.app[SETTINGS]
    is_foreign = any(entry.learner_id != learner_id for entry in entries(request, at))
    return {cookie_name(settings): ("", _attributes(settings, 0))} if is_foreign else {}


def _cookie(request: web.Request, code: str, learner_id: int, at: datetime) -> tuple[str, dict[str, Any]]:
    others = [entry for entry in entries(request, at) if entry.learner_id == learner_id and entry.code != code]
    settings = request.app[SETTINGS]
    expires_at = at + timedelta(minutes=settings.cookie_minutes)
    newest = [ReturnEntry(code, learner_id, expires_at), *others][:MAX_ENTRIES]
    return request.app[RETURN_ENTRIES].to_text(newest), _attributes(settings, settings.cookie_minutes * 60)


def _attributes(settings: Settings, max_age_s: int) -> dict[str, Any]:
    return {"max_age": max_age_s, "path": "/", "httponly": True, "samesite": "Lax", "secure": settings.is_secure}

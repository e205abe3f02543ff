"""The session of a request: bearer token and HttpOnly session cookie, looked up together (docs/decisions/0017)."""

import re
from datetime import UTC, datetime
from functools import cache
from typing import Any

from aiohttp import web

from config.settings import Settings
from domain.errors import ServiceUnavailable
from domain.identity import sessions
from domain.identity.sessions import AuthSession
from host.app_keys import DATABASE, SETTINGS
from host.http.problems import Problem

MAX_SECRET_LENGTH = 200
NO_SIGN_IN = "Sign in to continue."
_BEARER = {"WWW-Authenticate": "Bearer"}


def session_cookie_name(settings: Settings) -> str:
    """With the prefix __Host-, which other hosts cannot set, when the site uses https, which the prefix requires."""
    return "__Host-sid" if settings.is_secure else "sid"


async def require_session(request: web.Request, no_sign_in: str = NO_SIGN_IN) -> AuthSession:
    """The session of a call. Raises Problem 401 when bearer token or cookie is missing, does not match or has
    expired; with the text `no_sign_in` when there is no token."""
    session = await current_session(request)
    if session is None:
        has_token = bearer_token(request) is not None
        raise session_expired() if has_token else Problem(401, no_sign_in, headers=_BEARER)
    return session


def session_expired(cookies: dict[str, tuple[str, dict[str, Any]]] | None = None) -> Problem:
    """The error of a call whose session has ended; it sets `cookies` (request_keys.COOKIES)."""
    return Problem(401, "Your session has expired. Please sign in again.", headers=_BEARER, cookies=cookies)


async def current_session(request: web.Request) -> AuthSession | None:
    """The session of a call that guests may make too; None for a guest. Raises ServiceUnavailable."""
    token = bearer_token(request)
    # Reading all cookies takes longer than the header, which guests do not send.
    secret = None if token is None else cookie_secret(request)
    if token is None or secret is None:
        return None
    return await request.app[DATABASE].select_inline(sessions.authenticated, token, secret, datetime.now(UTC))


async def session_if_available(request: web.Request) -> AuthSession | None:
    """The session, or None also while the database is unavailable: for calls that must not fail because of it."""
    try:
        return await current_session(request)
    except ServiceUnavailable:
        return None


def bearer_token(request: web.Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return valid_secret(token.strip()) if kind.lower() == "bearer" else None


def cookie_secret(request: web.Request) -> str | None:
    """The secret of the HttpOnly session cookie."""
    name = session_cookie_name(request.app[SETTINGS])
    header = request.headers.get("Cookie", "")
    found = [] if '"' in header else _plain_cookie(name).findall(header)
    # Reading all cookies takes several times as long; what is not plain, or there twice, is read with them.
    return valid_secret(found[0] if len(found) == 1 else request.cookies.get(name, ""))


@cache
def _plain_cookie(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|; ){name}=([\w-]*)(?=;|$)", re.ASCII)


def valid_secret(secret: str) -> str | None:
    """None for what is too long to be ours: a database is not asked for it."""
    return secret if 0 < len(secret) <= MAX_SECRET_LENGTH else None

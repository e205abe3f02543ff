"""The session of a request: bearer token and HttpOnly session cookie, looked up together (docs/decisions/0017)."""

from datetime import UTC, datetime

from aiohttp import web

from config.settings import Settings
from domain.errors import ServiceUnavailable
from domain.identity import sessions
from domain.identity.sessions import AuthSession
from host.app_keys import DATABASE, SETTINGS
from host.http.problems import Problem

MAX_SECRET_LENGTH = 200
_BEARER = {"WWW-Authenticate": "Bearer"}


def session_cookie_name(settings: Settings) -> str:
    """With the prefix __Host-, which other hosts cannot set, when the site uses https, which the prefix requires."""
    return "__Host-sid" if settings.is_secure else "sid"


async def require_session(request: web.Request) -> AuthSession:
    """The session of a call. Raises Problem 401 when bearer token or cookie is missing, does not match or has
    expired."""
    session = await current_session(request)
    if session is None:
        has_token = _bearer_token(request) is not None
        raise session_over() if has_token else Problem(401, "Sign in to go on.", headers=_BEARER)
    return session


def session_over() -> Problem:
    """The error of a call whose session has ended."""
    return Problem(401, "Your sign-in is over. Please sign in again.", headers=_BEARER)


async def current_session(request: web.Request) -> AuthSession | None:
    """The session of a call that guests may make too; None for a guest. Raises ServiceUnavailable."""
    token = _bearer_token(request)
    if token is None:
        return None
    cookie_secret = request.cookies.get(session_cookie_name(request.app[SETTINGS]), "")
    if not 0 < len(cookie_secret) <= MAX_SECRET_LENGTH:
        return None
    return await request.app[DATABASE].read_inline(sessions.authenticated, token, cookie_secret, datetime.now(UTC))


async def session_if_available(request: web.Request) -> AuthSession | None:
    """The session, or None also while the database is unavailable: for calls that must not fail because of it."""
    try:
        return await current_session(request)
    except ServiceUnavailable:
        return None


def _bearer_token(request: web.Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    return token if kind.lower() == "bearer" and 0 < len(token) <= MAX_SECRET_LENGTH else None

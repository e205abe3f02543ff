"""Who a request comes from: the bearer handle and its HttpOnly half, looked up together (docs/decisions)."""

from datetime import UTC, datetime

from aiohttp import web

from domain import sessions
from domain.errors import Unavailable
from domain.sessions import SignedIn
from host import keys
from host.problems import Problem
from host.settings import Settings

LONGEST_SECRET = 200
_BEARER = {"WWW-Authenticate": "Bearer"}


def half_name(settings: Settings) -> str:
    """A cookie that no other host can set, where the browser allows that: it needs https."""
    return "__Host-sid" if settings.is_secure else "sid"


async def required(request: web.Request) -> SignedIn:
    """The learner of a call. Raises Problem 401 when either half is missing, foreign or over."""
    found = await optional(request)
    if found is None:
        text = "Sign in to go on." if _handle(request) is None else "Your sign-in is over. Please sign in again."
        raise Problem(401, text, headers=_BEARER)
    return found


async def optional(request: web.Request) -> SignedIn | None:
    """The same for calls that anybody may make: whoever cannot prove who they are is a guest."""
    handle = _handle(request)
    if handle is None:
        return None
    half = request.cookies.get(half_name(request.app[keys.SETTINGS]), "")
    if not 0 < len(half) <= LONGEST_SECRET:
        return None
    return await request.app[keys.DATABASE].glance(sessions.signed_in, handle, half, datetime.now(UTC))


async def if_known(request: web.Request) -> SignedIn | None:
    """The same where nothing may fail for it: with the records away everybody is a guest."""
    try:
        return await optional(request)
    except Unavailable:
        return None


def _handle(request: web.Request) -> str | None:
    kind, _, handle = request.headers.get("Authorization", "").partition(" ")
    handle = handle.strip()
    return handle if kind.lower() == "bearer" and 0 < len(handle) <= LONGEST_SECRET else None

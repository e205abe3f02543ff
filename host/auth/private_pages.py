"""The session of a document or of page data: both halves, as calls need them (docs/decisions/0017)."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson
from aiohttp import web
from sqlalchemy.orm import Session

from domain.account import current_session
from domain.account.current_session import CurrentSession
from host.app_keys import DATABASE
from host.auth.sessions import bearer_token, cookie_secret, valid_secret

# The cookie with the token (specification §3), which comes with every document; scripts send it as a bearer token.
TOKEN_COOKIE = "userInfo"  # noqa: S105 a name


# Reads what a page needs, in the transaction that has found its session.
FirstRead = Callable[[Session, CurrentSession], Any]


async def document_session(request: web.Request) -> CurrentSession | None:
    """The session of the HttpOnly cookie and the token of `Authorization`, else of the cookie userInfo; None without
    a valid pair. Raises ServiceUnavailable while the database does not answer in time."""
    return (await document_session_and(request, None))[0]


async def document_session_and(request: web.Request, read: FirstRead | None) -> tuple[CurrentSession | None, Any]:
    """The session of `document_session`, and what `read` returns for it, from one transaction: on MariaDB another takes
    two round trips, on SQLite a third of what finding the session takes. None without a session or `read`."""
    token, secret = bearer_token(request) or _token_of_cookie(request), cookie_secret(request)
    if token is None or secret is None:
        return None, None
    return await request.app[DATABASE].read_inline(_read, token, secret, datetime.now(UTC), read)


def _read(
    session: Session, token: str, secret: str, at: datetime, read: FirstRead | None
) -> tuple[CurrentSession | None, Any]:
    current = current_session.by_tokens(session, token, secret, at)
    return current, None if current is None or read is None else read(session, current)


def _token_of_cookie(request: web.Request) -> str | None:
    try:
        token = orjson.loads(unquote_to_bytes(request.cookies.get(TOKEN_COOKIE, "")))["accessToken"]
    except (ValueError, TypeError, KeyError):
        return None
    return valid_secret(token) if isinstance(token, str) else None

"""The session of a document or of page data: both halves, as calls need them (docs/decisions/0017)."""

import json
from datetime import UTC, datetime
from urllib.parse import unquote

from aiohttp import web

from domain.identity import current_session
from domain.identity.current_session import CurrentSession
from host.app_keys import DATABASE
from host.auth.sessions import bearer_token, cookie_secret, valid_secret

# The cookie with the token (specification §3), which comes with every document; scripts send it as a bearer token.
TOKEN_COOKIE = "userInfo"  # noqa: S105 a name


async def document_session(request: web.Request) -> CurrentSession | None:
    """The session of the HttpOnly cookie and the token of `Authorization`, else of the cookie userInfo; None without
    a valid pair. Raises ServiceUnavailable while the database does not answer in time."""
    token, secret = bearer_token(request) or _token_of_cookie(request), cookie_secret(request)
    if token is None or secret is None:
        return None
    return await request.app[DATABASE].read_inline(current_session.by_tokens, token, secret, datetime.now(UTC))


def _token_of_cookie(request: web.Request) -> str | None:
    try:
        token = json.loads(unquote(request.cookies.get(TOKEN_COOKIE, "")))["accessToken"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return valid_secret(token) if isinstance(token, str) else None

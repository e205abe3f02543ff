"""Session calls of the browser: the current session, and signing out."""

import asyncio
from datetime import UTC, datetime

from aiohttp import web

from domain.account import current_session
from domain.identity import sessions
from domain.identity.sessions import ProviderTokens
from host.api.fields import EmptyRequest
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import sessions as auth_sessions
from host.auth.session_info import SessionInfo, session_info
from host.auth.token_cipher import decrypt_tokens
from host.http import request_keys
from host.identity import session_cookies
from host.identity.login_api import RedirectTo
from host.identity.provider import PROVIDER, Provider


@query("auth/session", EmptyRequest, SessionInfo, caller="learner")
async def session(request: web.Request, _body: EmptyRequest) -> SessionInfo:
    """Return the signed-in learner, what they may enter and own, and the session's expiry."""
    auth = request[request_keys.AUTH_SESSION]
    current = await request.app[DATABASE].read(current_session.describe, auth, datetime.now(UTC))
    return session_info(current)


@call("auth/logout", EmptyRequest, RedirectTo, caller="anyone", refusals=(503,))
async def logout(request: web.Request, _body: EmptyRequest) -> RedirectTo:
    """End the session here and at the provider, whose sign-out page is the reply's address; / without a session."""
    app, auth_session = request.app, await auth_sessions.current_session(request)
    request.setdefault(request_keys.COOKIES, {}).update(session_cookies.sign_out_cookies(app[SETTINGS]))
    request[request_keys.HEADERS] = {"Clear-Site-Data": '"cache"'}
    if auth_session is None:
        return RedirectTo(redirect="/")
    encrypted = await app[DATABASE].write(sessions.end, auth_session.session_id, datetime.now(UTC))
    tokens = decrypt_tokens(app, encrypted)
    provider = app[PROVIDER]
    address, _ = await asyncio.gather(provider.logout_address(tokens.id_token), _revoke(provider, tokens))
    return RedirectTo(redirect=address or "/")


async def own_tokens(request: web.Request) -> ProviderTokens:
    """The provider's tokens of the caller's session. Raises Problem 401 when the session ended during this call."""
    encrypted = await request.app[DATABASE].read(
        sessions.provider_tokens_of, request[request_keys.AUTH_SESSION].session_id
    )
    if encrypted is None:
        raise auth_sessions.session_expired()
    return decrypt_tokens(request.app, encrypted)


async def _revoke(provider: Provider, tokens: ProviderTokens) -> None:
    if tokens.access_token:
        await provider.revoke(tokens.access_token)

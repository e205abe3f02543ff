"""Session calls of the browser: the current session, signing out, facts about the provider."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel

from domain.identity import current_session, sessions
from domain.identity.sessions import ProviderTokens
from host.api.fields import EmptyRequest
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import sessions as auth_sessions
from host.auth.session_info import SessionInfo, session_info
from host.http import request_keys
from host.identity import session_cookies
from host.identity.idx.provider_features import FEATURES
from host.identity.login_api import RedirectTo
from host.identity.provider import PROVIDER, Provider
from host.identity.token_cipher import TOKEN_CIPHER


@query("auth/session", EmptyRequest, SessionInfo, caller="learner")
async def session(request: web.Request, _body: EmptyRequest) -> SessionInfo:
    """Return the signed-in learner, what they may enter and own, and the session's expiry."""
    auth = request[request_keys.AUTH_SESSION]
    current = await request.app[DATABASE].read(current_session.describe, auth, datetime.now(UTC))
    return session_info(current)


@call("auth/logout", EmptyRequest, RedirectTo, caller="anyone", refusals=(503,), is_body_optional=True)
async def logout(request: web.Request, _body: EmptyRequest) -> RedirectTo:
    """End the session here and at the provider, whose sign-out page is the reply's address; / without a session."""
    app, auth_session = request.app, await auth_sessions.current_session(request)
    request.setdefault(request_keys.COOKIES, {}).update(session_cookies.sign_out_cookies(app[SETTINGS]))
    request[request_keys.HEADERS] = {"Clear-Site-Data": '"cache"'}
    if auth_session is None:
        return RedirectTo(redirect="/")
    encrypted = await app[DATABASE].write(sessions.end, auth_session.session_id, datetime.now(UTC))
    tokens = decrypt_tokens(request, encrypted)
    provider = app[PROVIDER]
    address, _ = await asyncio.gather(provider.logout_address(tokens.id_token), _revoke(provider, tokens))
    return RedirectTo(redirect=address or "/")


def decrypt_tokens(request: web.Request, encrypted: ProviderTokens) -> ProviderTokens:
    """The provider's tokens of a session in plain text; "" for tokens that are missing or encrypted with an old key."""
    cipher = request.app[TOKEN_CIPHER]
    id_token, access_token = (cipher.decrypt(token) or "" for token in (encrypted.id_token, encrypted.access_token))
    return replace(encrypted, id_token=id_token, access_token=access_token)


async def own_tokens(request: web.Request) -> ProviderTokens:
    """The provider's tokens of the caller's session. Raises Problem 401 when the session ended during this call."""
    encrypted = await request.app[DATABASE].read(
        sessions.provider_tokens_of, request[request_keys.AUTH_SESSION].session_id
    )
    if encrypted is None:
        raise auth_sessions.session_expired()
    return decrypt_tokens(request, encrypted)


async def _revoke(provider: Provider, tokens: ProviderTokens) -> None:
    if tokens.access_token:
        await provider.revoke(tokens.access_token)


class AboutProvider(BaseModel):
    """`frame`: the provider's page that sends the browser's fingerprint; `hasAuthn` false: only `auth/start`."""

    origin: str
    frame: str | None
    hasAuthn: bool
    hasRegistration: bool
    isReachable: bool


@query("auth/provider", EmptyRequest, AboutProvider, caller="anyone", max_age_s=60)
async def about(request: web.Request, _body: EmptyRequest) -> AboutProvider:
    """Return what the sign-in pages need to know about the provider."""
    provider = request.app[PROVIDER]
    has_authn = provider.has_extensions and bool(provider.issuer)
    frame = f"{provider.origin}/auth/services/devicefingerprint" if has_authn else None
    return AboutProvider(
        origin=provider.origin,
        frame=frame,
        hasAuthn=has_authn,
        hasRegistration=await request.app[FEATURES].has_registration(),
        isReachable=provider.state == "up",
    )

"""Calls for a learner's data in our own database: list and end sessions, export everything, delete the account."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, cast

from aiohttp import web
from pydantic import BaseModel, Field, RootModel

from contracts.tasks import Topic
from domain.account import anonymise
from domain.account import export as account_export
from domain.checkout import known_addresses
from domain.errors import Refused
from domain.identity import sessions
from domain.identity.sessions import AuthSession, ProviderTokens
from domain.orders.settings import Context
from domain.permissions import Area
from host.api.cart_schemas import OutcomeSchema, outcome
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth.area_access import require_recent_sign_in
from host.auth.token_cipher import decrypt_tokens
from host.http import request_keys
from host.http.problems import Problem
from host.identity import session_api, session_cookies
from host.identity.login_api import RedirectTo
from host.identity.provider import PROVIDER
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies


class OwnSession(BaseModel):
    """`browser`: its name, such as Firefox; "" when unknown."""

    id: str
    isThis: bool
    area: Area
    browser: str
    createdAt: datetime
    expiresAt: datetime


class OwnSessions(BaseModel):
    sessions: list[OwnSession]


class Export(RootModel[dict[str, Any]]):
    """All stored data of the learner; docs/contracts.md lists its parts."""


# Ten minutes: what is deleted does not come back.
MAX_AUTH_AGE_S = 600


class DeleteAccount(Strict):
    """`confirm`: the account's email address, as typed. `keepCertificates`: they stay valid and keep the name; else
    they are revoked and lose it."""

    confirm: Annotated[str, Field(max_length=254)]
    keepCertificates: bool = False


async def _active_sessions(request: web.Request, current: AuthSession) -> OwnSessions:
    active = await request.app[DATABASE].read(sessions.active, current.learner_id, datetime.now(UTC))
    rows = [
        OwnSession(
            id=str(session.id),
            isThis=session.id == current.session_id,
            area=cast("Area", session.area),
            browser=session.browser,
            createdAt=session.created_at,
            expiresAt=session.expires_at,
        )
        for session in active
    ]
    return OwnSessions(sessions=rows)


@query("account/sessions", EmptyRequest, OwnSessions, caller="learner", refusals=(429,))
async def listing(request: web.Request, _body: EmptyRequest) -> OwnSessions:
    """List the learner's active sessions."""
    await policies.limit(request, "account_calls_per_learner_minute")
    return await _active_sessions(request, request[request_keys.AUTH_SESSION])


@call("account/sessions/{id}", EmptyRequest, OwnSessions, method="DELETE", caller="learner", refusals=(429,))
async def end(request: web.Request, _body: EmptyRequest) -> OwnSessions:
    """End one of the learner's sessions; it may be the current one."""
    await policies.limit(request, "account_calls_per_learner_minute")
    current, session_id, app = request[request_keys.AUTH_SESSION], request[request_keys.PATH_ID], request.app
    encrypted = await app[DATABASE].write(sessions.end_own, current.learner_id, session_id, datetime.now(UTC))
    if session_id == current.session_id:
        _clear_session(request)
    await revoke_at_provider(request, [decrypt_tokens(request.app, encrypted)])
    return await _active_sessions(request, current)


@call("account/addresses", EmptyRequest, OutcomeSchema, method="DELETE", caller="learner", refusals=(429,))
async def forget_addresses(request: web.Request, _body: EmptyRequest) -> OutcomeSchema:
    """Forget the addresses of the last order: the next checkout begins empty. Orders and invoices keep theirs."""
    await policies.limit(request, "account_calls_per_learner_minute")
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    await request.app[DATABASE].write(known_addresses.forget, learner_id)
    return OutcomeSchema(**outcome(None))


@query("account/export", EmptyRequest, Export, caller="learner", refusals=(429,))
async def export(request: web.Request, _body: EmptyRequest) -> Export:
    """Export all data that we store about the learner, as one file."""
    session, at = request[request_keys.AUTH_SESSION], datetime.now(UTC)
    await policies.limit(request, "account_calls_per_learner_minute")
    data = await request.app[DATABASE].read(
        account_export.export, session.learner_id, at, request.app[SETTINGS].shop.currency
    )
    name = f"account-{session.learner_id}-{at:%Y-%m-%d}.json"
    request[request_keys.HEADERS] = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Export(data)


@call("account", DeleteAccount, RedirectTo, method="DELETE", caller="learner", refusals=(403, 409, 429))
async def delete_account(request: web.Request, body: DeleteAccount) -> RedirectTo:
    """Delete the account: all data about the person is deleted or anonymised. 403 without a recent sign-in, 409 while a
    debit or a refund is under way, or goods have not been sent yet."""
    await policies.limit(request, "account_calls_per_learner_minute")
    app, session = request.app, request[request_keys.AUTH_SESSION]
    await require_recent_sign_in(request, session, MAX_AUTH_AGE_S)
    own_tokens = await session_api.own_tokens(request)
    context = Context(datetime.now(UTC), app[SETTINGS].orders)
    try:
        delete = partial(anonymise.anonymise_account, keep_certificates=body.keepCertificates)
        encrypted = await app[DATABASE].write(delete, session.learner_id, body.confirm, context)
    except Refused as refusal:
        raise Problem(409, str(refusal)) from refusal
    app[OUTBOX_WAKER].wake(Topic.PAYMENTS)
    _clear_session(request)
    # Only after the deletion: after a wrong confirmation the person stays signed in, also at the provider.
    address, _ = await asyncio.gather(
        app[PROVIDER].logout_address(own_tokens.id_token),
        revoke_at_provider(request, [decrypt_tokens(request.app, tokens) for tokens in encrypted]),
    )
    return RedirectTo(redirect=address or "/")


def _clear_session(request: web.Request) -> None:
    request.setdefault(request_keys.COOKIES, {}).update(session_cookies.sign_out_cookies(request.app[SETTINGS]))
    request[request_keys.HEADERS] = {"Clear-Site-Data": '"cache"'}


async def revoke_at_provider(request: web.Request, all_tokens: list[ProviderTokens]) -> None:
    """Revoke access tokens at the provider, best effort: tokens that cannot be revoked expire by themselves."""
    provider = request.app[PROVIDER]
    own = [tokens for tokens in all_tokens if tokens.access_token and tokens.issuer == provider.issuer]
    await asyncio.gather(*(provider.revoke(tokens.access_token) for tokens in own))

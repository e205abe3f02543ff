"""/logincallback: the redirect back from the provider. Served here, not by React; every response is a redirect."""

import logging
import time

from aiohttp import web

from domain.errors import ServiceUnavailable
from domain.identity.sign_in import NoRole
from host.app_keys import SETTINGS
from host.auth.token_cipher import TOKEN_CIPHER
from host.identity import areas, attempts, open_session
from host.identity.attempts import Attempt
from host.identity.errors import LoginFailed, NoSecondFactor, OtherIssuer, RefusedByProvider, SignInError, TokenRefused
from host.identity.idx import return_to_flow
from host.identity.login_api import redirect_to
from host.identity.open_session import OpenedSession
from host.identity.provider import PROVIDER

log = logging.getLogger("coursefront.identity")


async def callback(request: web.Request) -> web.Response:
    """Redirect to where the sign-in began, with the session cookies; or to the sign-in page, with an error. Without an
    attempt nothing of the address is used."""
    settings, state = request.app[SETTINGS], request.query.get("state", "")
    if return_to_flow.is_of_transaction(request):
        return await return_to_flow.return_to_flow(request)
    try:
        attempt = attempts.load_attempt(request.cookies, state, request.app[TOKEN_CIPHER], time.time())
    except SignInError as error:
        return redirect_to(await return_to_flow.address_without_attempt(request, error.key), {})
    # An attempt may be used once, whatever its outcome.
    cleared = attempts.clear_attempt(state, is_secure=settings.is_secure)
    try:
        opened = await _open_session(request, attempt)
    except (SignInError, NoRole, ServiceUnavailable) as error:
        return redirect_to(_address_after(error, attempt, settings.second_factor_acr), cleared)
    return redirect_to(opened.address, {**cleared, **opened.cookies})


def _address_after(error: Exception, attempt: Attempt, acr_values: str) -> str:
    """Where a refused attempt leads."""
    if isinstance(error, RefusedByProvider) and attempt.is_silent:
        # Nobody is signed out: the provider wants to show its page first.
        return areas.without_account(attempt.return_to)
    if isinstance(error, NoSecondFactor) and acr_values and not attempt.is_step_up:
        return areas.step_up_address(attempt.area, attempt.return_to, acr_values)
    return areas.sign_in_failed(attempt.area, _key_of(error), attempt.return_to)


def _key_of(error: Exception) -> str:
    match error:
        case TokenRefused():
            log.error("refused an id token: %s", error.reason)
            return error.key
        case SignInError():
            return error.key
        case NoRole():
            return "noRole"
        case _:
            return "unknown"


async def _open_session(request: web.Request, attempt: Attempt) -> OpenedSession:
    provider = request.app[PROVIDER]
    async with provider.wire.deadline():
        _require_issuer(request, provider.issuer, await provider.names_itself())
        grant = await provider.exchange(attempt, _code(request))
    is_refused = attempt.asks_account and set(provider.account_scopes).isdisjoint(grant.scopes)
    target = areas.without_account(attempt.return_to) if is_refused else attempt.return_to
    return await open_session.open_session(request, grant, attempt.area, target)


def _require_issuer(request: web.Request, issuer: str, is_announced: bool) -> None:
    """A response of another provider, or one without `iss` from a provider that announces it (RFC 9207), is none of
    the sign-in that this browser began. Raises OtherIssuer."""
    if request.query.get("iss", None if is_announced else issuer) != issuer:
        raise OtherIssuer


def _code(request: web.Request) -> str:
    """The code in the query. Checks an error, then the code; state and issuer were checked before. Raises
    RefusedByProvider, LoginFailed."""
    query = request.query
    if "error" in query:
        if query["error"] == "invalid_scope":
            log.error("the provider does not grant this site the scopes of OIDC_SCOPES")
        raise RefusedByProvider(query["error"])
    if not query.get("code"):
        raise LoginFailed
    return query["code"]

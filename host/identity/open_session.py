"""Opens a session on this site for a person whom the provider has authenticated."""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

from domain.cart import merge as cart_merge
from domain.cart.owners import RequestedLine
from domain.errors import ServiceUnavailable
from domain.identity import sign_in
from domain.identity.learners import DEVELOPMENT_ISSUER, Identity
from domain.identity.sessions import ProviderTokens
from domain.identity.sign_in import Entered, SignIn
from domain.permissions import Area
from domain.visits.visits import anonymise_ip
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access, guest_lines, guests
from host.auth.sessions import MAX_SECRET_LENGTH, session_cookie_name
from host.auth.token_cipher import TOKEN_CIPHER, encrypt_access_token
from host.checkout import return_cookie
from host.http import request_keys
from host.http.client_ip import client_ip
from host.http.request_keys import Cookies
from host.http.user_agents import browser_family
from host.identity import areas, session_cookies
from host.identity.errors import NoSecondFactor, TokenRefused
from host.identity.provider import PROVIDER, Grant

# Where the provider does not say when somebody proved who they are: never recent.
UNKNOWN = datetime.fromtimestamp(0, UTC)
MAX_SUBJECT_LENGTH = 191
# The column has room for these.
MAX_METHODS, _METHOD = 8, re.compile(r"[!-~]{1,11}")


@dataclass(frozen=True)
class OpenedSession:
    """The cookies of a new session, and the page that the browser loads next."""

    cookies: Cookies
    address: str


async def open_session(request: web.Request, grant: Grant, area: Area, return_to: str) -> OpenedSession:
    """Open a session that leads to `return_to`, or to the first page of its area. Raises NoSecondFactor, NoRole,
    TokenRefused, ServiceUnavailable."""
    app, settings, now = request.app, request.app[SETTINGS], datetime.now(UTC)
    identity, tokens = _identity(app[PROVIDER].issuer, grant), _tokens(request, grant, now)
    if area == "admin" and settings.requires_second_factor and not sign_in.has_second_factor(tokens.methods):
        raise NoSecondFactor
    attempt = SignIn(
        identity,
        area,
        replace(tokens, issuer=identity.issuer, subject=identity.subject),
        request.cookies.get(session_cookie_name(settings), "")[:MAX_SECRET_LENGTH],
        # A development provider's accounts match the demo shop's learners by email address; never so in production.
        "" if settings.is_production else DEVELOPMENT_ISSUER,
        request_id=request[request_keys.REQUEST_ID],
        ip_network=anonymise_ip(client_ip(request)),
        lifetime=timedelta(minutes=settings.sign_in_minutes),
    )
    entered: Entered = await app[DATABASE].write(sign_in.sign_in, attempt, now)
    opened, target = entered.session, areas.return_to(return_to)
    cleared = return_cookie.cleared_for(request, opened.learner_id, now)
    merged, refused = await _merge_guest_lines(request, opened.learner_id, now)
    cookies = {**session_cookies.sign_in_cookies(settings, opened, identity.email), **cleared, **merged}
    if refused and target == "/cart":
        target = guest_lines.address(refused)
    home = area_access.home_of(area, entered.roles, owns_something=entered.owns_something)
    return OpenedSession(cookies, home if target == "/" else target)


async def _merge_guest_lines(
    request: web.Request, learner_id: int, now: datetime
) -> tuple[Cookies, list[RequestedLine]]:
    """Merge what this browser's guest has put in the cart, so that the next page has it already. Returns the deletion
    of the cookies that named it, and what was added without script and refused; with script the browser says why.

    While the database does not answer in time, the cookies stay for the next sign-in. The browser's script merges too.
    """
    lines, plain = guest_lines.waiting_lines(request), {line.id for line in guest_lines.plain_lines(request)}
    if not lines:
        return {}, []
    with suppress(ServiceUnavailable):
        key = guests.guest_key_of(request)
        merged = await request.app[DATABASE].write(cart_merge.merge, learner_id, lines, key, now)
        refused = {result.id for result in merged if result.outcome == "refused"} & plain
        return guest_lines.cleared(request), [line for line in lines if line.id in refused]
    return {}, []


def _tokens(request: web.Request, grant: Grant, now: datetime) -> ProviderTokens:
    """The provider's tokens, encrypted, and what its id token says of the sign-in."""
    cipher = request.app[TOKEN_CIPHER]
    amr = grant.claims.get("amr")
    methods = [method for method in amr if isinstance(method, str)] if isinstance(amr, list) else []
    return ProviderTokens(
        id_token=cipher.encrypt(grant.id_token),
        access_token=encrypt_access_token(cipher, grant.access_token, grant.scopes),
        browser=browser_family(request.headers.get("User-Agent", ""))[:100],
        methods=tuple(method for method in methods if _METHOD.fullmatch(method))[:MAX_METHODS],
        authenticated_at=_authenticated_at(grant.claims.get("auth_time"), now),
    )


def _authenticated_at(auth_time: Any, now: datetime) -> datetime:
    """When the person proved who they are, as the provider says. Where it does not say, nobody knows, and no act that
    needs a recent sign-in is allowed: a provider that is asked for one (max_age) must say when it was. A clock that is
    ahead of ours counts as now."""
    if not isinstance(auth_time, int) or isinstance(auth_time, bool) or auth_time <= 0:
        return UNKNOWN
    return datetime.fromtimestamp(min(auth_time, int(now.timestamp())), UTC)


def _identity(issuer: str, grant: Grant) -> Identity:
    """Issuer and subject identify the person; name and email address are the provider's current labels."""
    claims, subject = grant.claims, str(grant.claims["sub"])
    if len(subject) > MAX_SUBJECT_LENGTH:
        raise TokenRefused("the subject is too long")
    name, email = claims.get("name"), claims.get("email")
    label = name[:255] if isinstance(name, str) else ""
    address = email if isinstance(email, str) and len(email) <= 254 else ""
    # Some providers send the text "true" (OpenID Connect asks for a boolean).
    is_verified = claims.get("email_verified") in (True, "true")
    return Identity(issuer, subject, label, address, email_verified=is_verified)

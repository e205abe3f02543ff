"""Exchanges name and password for a session token, which the provider's authorize endpoint accepts once."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web

from host.http.client_ip import client_ip
from host.identity.authn_client import AuthnClient
from host.identity.errors import CallRefused, LoginFailed, NoSuchLink, UnhandledStatus
from host.identity.provider import Provider

MAX_AGENT_LENGTH = 500


def on_behalf(request: web.Request) -> dict[str, str]:
    """Headers that name the visitor, so that the provider's rate limits apply to each visitor and not to this host. The
    provider trusts them when this host is one of its trusted proxies."""
    agent = request.headers.get("User-Agent", "")[:MAX_AGENT_LENGTH]
    return {"X-Forwarded-For": client_ip(request), **({"User-Agent": agent} if agent else {})}


@dataclass(frozen=True)
class Credentials:
    """Name and password as typed; neither is logged or stored. `fingerprint` is "" when the browser has none."""

    name: str
    password: str
    fingerprint: str = ""

    def __repr__(self) -> str:
        return "Credentials(…)"


@dataclass(frozen=True)
class ProvenPassword:
    """`session_token` for the authorize endpoint; `expires_soon`: the provider advises to change the password."""

    session_token: str
    expires_soon: bool


async def prove(provider: Provider, credentials: Credentials, headers: Mapping[str, str]) -> ProvenPassword:
    """Sign in with a password; the provider's warning before it expires does not stop the sign-in. Raises LoginFailed,
    UnhandledStatus, ProviderUnavailable and ProviderRateLimited."""
    client = AuthnClient(provider, headers, now=lambda: datetime.now(UTC))
    try:
        transaction = await client.sign_in(credentials.name, credentials.password, credentials.fingerprint)
        expires_soon = transaction.status == "PASSWORD_WARN"
        if expires_soon:
            with suppress(NoSuchLink):
                transaction = await transaction.follow("skip")
    except CallRefused as error:
        raise LoginFailed(error.summary) from None
    if transaction.status != "SUCCESS":
        raise UnhandledStatus(transaction.status)
    if transaction.session_token is None:
        raise LoginFailed
    return ProvenPassword(transaction.session_token, expires_soon)

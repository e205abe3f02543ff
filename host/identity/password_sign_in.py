"""Name and password for a session token, which the provider's authorize takes once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web

from host.addresses import visitor_address
from host.identity.classic import Classic
from host.identity.errors import CallRefused, LoginFailed, UnhandledStatus
from host.identity.provider import Provider

LONGEST_AGENT = 500


def on_behalf(request: web.Request) -> dict[str, str]:
    """Who is really asking: without it the provider would take all visitors for one, and limit them together. It
    believes us when this host is one of its trusted proxies."""
    agent = request.headers.get("User-Agent", "")[:LONGEST_AGENT]
    return {"X-Forwarded-For": visitor_address(request), **({"User-Agent": agent} if agent else {})}


@dataclass(frozen=True)
class Credentials:
    """As they were typed; neither is logged or kept. `fingerprint` "" when the browser has none."""

    name: str
    password: str
    fingerprint: str = ""

    def __repr__(self) -> str:
        return "Credentials(…)"


async def session_token(provider: Provider, given: Credentials, headers: Mapping[str, str]) -> str:
    """Raises LoginFailed, UnhandledStatus, ProviderAway and ProviderBusy."""
    client = Classic(provider, headers, now=lambda: datetime.now(UTC))
    try:
        answer = await client.sign_in(given.name, given.password, given.fingerprint)
    except CallRefused as error:
        raise LoginFailed(error.summary) from None
    if answer.status != "SUCCESS":
        raise UnhandledStatus(answer.status)
    if answer.session_token is None:
        raise LoginFailed
    return answer.session_token

"""Somebody whom the provider vouches for becomes a session of ours."""

from datetime import UTC, datetime

from aiohttp import web

from domain import sign_ins
from domain.learners import Identity
from domain.seed import selling
from domain.sessions import Opened, Origin
from domain.sign_ins import Arrival
from host import keys
from host.crawlers import agent_family
from host.identity import user_info
from host.identity.attempts import Cookies
from host.identity.errors import TokenRefused
from host.identity.provider import Grant
from host.sessions import LONGEST_SECRET, half_name

LONGEST_SUBJECT = 191


async def arrived(request: web.Request, grant: Grant, area: str) -> Cookies:
    """The session of whom the provider vouches for, as cookies. Raises NoRole, TokenRefused, Unavailable."""
    app, settings = request.app, request.app[keys.SETTINGS]
    identity = _identity(app[keys.PROVIDER].issuer, grant)
    seal, browser = app[keys.SECRET].sealed, agent_family(request.headers.get("User-Agent", ""))[:100]
    arrival = Arrival(
        identity,
        area,
        Origin(identity.issuer, identity.subject, seal(grant.id_token), seal(grant.access_token), browser),
        request.cookies.get(half_name(settings), "")[:LONGEST_SECRET],
        # A development provider's accounts are the learners of the demo shop; in production nobody is found by address.
        "" if settings.is_production else selling.ISSUER,
    )
    opened: Opened = await app[keys.DATABASE].run(sign_ins.arrive, arrival, datetime.now(UTC))
    return user_info.signed_in(settings, opened, identity.email)


def _identity(issuer: str, grant: Grant) -> Identity:
    """Issuer and subject say who it is; name and address are what the provider says today."""
    claims, subject = grant.claims, str(grant.claims["sub"])
    if len(subject) > LONGEST_SUBJECT:
        raise TokenRefused("the subject is too long")
    name, email = claims.get("name"), claims.get("email")
    kept_name = name[:255] if isinstance(name, str) else ""
    return Identity(issuer, subject, kept_name, email if isinstance(email, str) and len(email) <= 254 else "")

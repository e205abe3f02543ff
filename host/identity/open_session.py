"""Opens a session on this site for a person whom the provider has authenticated."""

from datetime import UTC, datetime

from aiohttp import web

from domain.identity import sign_in
from domain.identity.learners import DEVELOPMENT_ISSUER, Identity
from domain.identity.sessions import NewSession, ProviderTokens
from domain.identity.sign_in import SignIn
from domain.permissions import Area
from host.app_keys import DATABASE, SETTINGS
from host.auth.sessions import MAX_SECRET_LENGTH, session_cookie_name
from host.checkout import return_cookie
from host.http.user_agents import browser_family
from host.identity import session_cookies
from host.identity.attempts import Cookies
from host.identity.errors import TokenRefused
from host.identity.provider import PROVIDER, Grant
from host.identity.token_cipher import TOKEN_CIPHER

MAX_SUBJECT_LENGTH = 191


async def open_session(request: web.Request, grant: Grant, area: Area) -> Cookies:
    """Open a session and return its cookies. Raises NoRole, TokenRefused, ServiceUnavailable."""
    app, settings = request.app, request.app[SETTINGS]
    identity = _identity(app[PROVIDER].issuer, grant)
    encrypt, browser = app[TOKEN_CIPHER].encrypt, browser_family(request.headers.get("User-Agent", ""))[:100]
    attempt = SignIn(
        identity,
        area,
        ProviderTokens(
            identity.issuer, identity.subject, encrypt(grant.id_token), encrypt(grant.access_token), browser
        ),
        request.cookies.get(session_cookie_name(settings), "")[:MAX_SECRET_LENGTH],
        # A development provider's accounts match the demo shop's learners by e-mail address; never so in production.
        "" if settings.is_production else DEVELOPMENT_ISSUER,
    )
    now = datetime.now(UTC)
    opened: NewSession = await app[DATABASE].write(sign_in.sign_in, attempt, now)
    cleared = return_cookie.cleared_for(request, opened.learner_id, now)
    return {**session_cookies.sign_in_cookies(settings, opened, identity.email), **cleared}


def _identity(issuer: str, grant: Grant) -> Identity:
    """Issuer and subject identify the person; name and e-mail address are the provider's current labels."""
    claims, subject = grant.claims, str(grant.claims["sub"])
    if len(subject) > MAX_SUBJECT_LENGTH:
        raise TokenRefused("the subject is too long")
    name, email = claims.get("name"), claims.get("email")
    label = name[:255] if isinstance(name, str) else ""
    return Identity(issuer, subject, label, email if isinstance(email, str) and len(email) <= 254 else "")

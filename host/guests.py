"""A guest's own secret: an HttpOnly cookie on which the coupon of their cart hangs."""

import secrets

from aiohttp import web

from domain.cart import GUEST_LIFE, Owner
from domain.sessions import SECRET_BYTES, SignedIn, digest
from host import keys
from host.sessions import LONGEST_SECRET
from host.settings import Settings


def cookie_name(settings: Settings) -> str:
    return "__Host-guest" if settings.is_secure else "guest"


def guest_of(request: web.Request) -> str | None:
    """The digest of the cookie's secret."""
    secret = request.cookies.get(cookie_name(request.app[keys.SETTINGS]), "")
    return digest(secret) if 0 < len(secret) <= LONGEST_SECRET else None


def owner_of(request: web.Request, who: SignedIn | None) -> Owner:
    return Owner(guest=guest_of(request)) if who is None else Owner(who.learner_id)


def known_owner(request: web.Request, who: SignedIn | None) -> tuple[Owner, str | None]:
    """The same where something is to be kept; of a guest also the secret that `keep` sends along when it was."""
    if who is not None:
        return Owner(who.learner_id), None
    sent = request.cookies.get(cookie_name(request.app[keys.SETTINGS]), "")
    secret = secrets.token_urlsafe(SECRET_BYTES)
    # Only what looks like one of ours is gone on with.
    secret = sent if len(sent) == len(secret) else secret
    return Owner(guest=digest(secret)), secret


def keep(request: web.Request, secret: str) -> None:
    """The guest's cookie comes with the answer and lives as long as what hangs on it."""
    settings = request.app[keys.SETTINGS]
    life_s = int(GUEST_LIFE.total_seconds())
    kept = {"max_age": life_s, "path": "/", "httponly": True, "samesite": "Lax", "secure": settings.is_secure}
    request.setdefault(keys.COOKIES, {})[cookie_name(settings)] = (secret, kept)

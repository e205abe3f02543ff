"""The guest cookie: an HttpOnly secret that identifies a guest's cart and its coupon."""

import secrets

from aiohttp import web

from config.settings import Settings
from domain.cart.owners import Owner
from domain.identity.sessions import SECRET_BYTES, AuthSession, digest
from host.app_keys import SETTINGS
from host.auth.sessions import MAX_SECRET_LENGTH
from host.http import request_keys


def cookie_name(settings: Settings) -> str:
    return "__Host-guest" if settings.is_secure else "guest"


def guest_key_of(request: web.Request) -> str | None:
    """The digest of the cookie's secret; None without a valid cookie."""
    secret = request.cookies.get(cookie_name(request.app[SETTINGS]), "")
    return digest(secret) if 0 < len(secret) <= MAX_SECRET_LENGTH else None


def owner_of(request: web.Request, auth: AuthSession | None) -> Owner:
    return Owner(guest_key=guest_key_of(request)) if auth is None else Owner(auth.learner_id)


def owner_with_cookie(request: web.Request, auth: AuthSession | None) -> tuple[Owner, str | None]:
    """The owner for a change, and for a guest the secret to pass to `set_guest_cookie` after the change."""
    if auth is not None:
        return Owner(auth.learner_id), None
    current = request.cookies.get(cookie_name(request.app[SETTINGS]), "")
    secret = secrets.token_urlsafe(SECRET_BYTES)
    # A cookie of another length is not ours and is replaced.
    secret = current if len(current) == len(secret) else secret
    return Owner(guest_key=digest(secret)), secret


def set_guest_cookie(request: web.Request, secret: str) -> None:
    """Set the guest's cookie with the response; it expires with the guest's cart."""
    settings = request.app[SETTINGS]
    max_age_s = settings.cookie_minutes * 60
    attributes = {"max_age": max_age_s, "path": "/", "httponly": True, "samesite": "Lax", "secure": settings.is_secure}
    request.setdefault(request_keys.COOKIES, {})[cookie_name(settings)] = (secret, attributes)

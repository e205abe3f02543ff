"""The part of the catalogue that a visitor may see: restricted members and visitors of a partner link see less.

Pages are rendered without cookies and cached for everyone; pages of these visitors are rendered separately and never
cached. The database decides: a cookie can reduce what is shown, never extend it.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web
from sqlalchemy.orm import Session

from domain.catalogue.scope import CatalogueScope
from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.identity import sessions
from domain.organisations import access as organisations_access
from host.app_keys import SETTINGS
from host.auth.partner_cookie import partner_slug
from host.auth.sessions import MAX_SECRET_LENGTH, session_cookie_name

# Visitors of a contract that changes see the change at most this much later.
MAX_AGE_S = 30.0
MAX_ENTRIES = 10_000


@dataclass(frozen=True)
class CachedScope:
    scope: CatalogueScope | None
    expires_at: float


class ScopeResolver:
    """Scopes of recent visitors, so that most pages of a signed-in visitor need no query for it."""

    def __init__(self, db: Database):
        self._db = db
        self._cached: OrderedDict[str, CachedScope] = OrderedDict()

    async def resolve(self, key: str, cookie_secret: str, slug: str) -> CatalogueScope | None:
        """Raises ServiceUnavailable when the database is unavailable and no older result is cached."""
        cached = self._cached.get(key)
        if cached is not None and time.monotonic() < cached.expires_at:
            return cached.scope
        try:
            scope = await self._db.read(_read_scope, cookie_secret, slug, datetime.now(UTC))
        except ServiceUnavailable:
            if cached is None:
                raise
            return cached.scope
        self._cached[key] = CachedScope(scope, time.monotonic() + MAX_AGE_S)
        if len(self._cached) > MAX_ENTRIES:
            self._cached.popitem(last=False)
        return scope


SCOPE_RESOLVER = web.AppKey("scope_resolver", ScopeResolver)


def may_have_scope(cookies: str | None) -> bool:
    """False for visitors whose header Cookie has none of our cookies: they may see the whole catalogue."""
    return cookies is not None and ("sid=" in cookies or "IsRestrictedAccess=true" in cookies)


async def scope_of(request: web.Request) -> CatalogueScope | None:
    """The scope of the request's visitor; None, without a query, for visitors without one of our cookies."""
    if not may_have_scope(request.headers.get("Cookie")):
        return None
    settings, cookies = request.app[SETTINGS], request.cookies
    cookie_secret = cookies.get(session_cookie_name(settings), "")[:MAX_SECRET_LENGTH]
    is_partner = cookies.get("IsRestrictedAccess") == "true"
    slug = partner_slug(request) if is_partner else ""
    if not cookie_secret and not slug:
        return None
    key = sessions.digest(f"{cookie_secret} {slug}")
    return await request.app[SCOPE_RESOLVER].resolve(key, cookie_secret, slug)


def _read_scope(session: Session, cookie_secret: str, slug: str, at: datetime) -> CatalogueScope | None:
    """A restricted member sees what their contracts name; a partner link reduces the catalogue only for others."""
    auth = sessions.by_cookie(session, cookie_secret, at) if cookie_secret else None
    access = organisations_access.access_of(session, None if auth is None else auth.learner_id, at)
    if access.is_restricted or not slug:
        return access.catalogue_scope
    return organisations_access.access_of_partner(session, slug, at).catalogue_scope

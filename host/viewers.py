"""Who may not see the whole catalogue: restricted members, and visitors who came through a partner's doorway.

Pages are drawn without reading cookies and kept for everyone; these few are drawn apart and kept nowhere. What the
records say decides: a cookie can narrow what is shown, never widen it.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web
from sqlalchemy.orm import Session

from domain import organisations, sessions
from domain.catalogue import Narrowed
from domain.db import Database
from domain.errors import Unavailable
from host import doorways, keys
from host.sessions import LONGEST_SECRET, half_name

# A contract that changes is seen this late by those who are looking around already.
FRESH_S = 30.0
MOST = 10_000


@dataclass(frozen=True)
class Known:
    only: Narrowed | None
    until: float


class Viewers:
    """What was found out a moment ago, so that a page of a signed-in visitor costs no question more."""

    def __init__(self, db: Database):
        self._db = db
        self._known: OrderedDict[str, Known] = OrderedDict()

    async def of(self, key: str, half: str, slug: str) -> Narrowed | None:
        """Raises Unavailable when the records are away and nothing was found out before."""
        known = self._known.get(key)
        if known is not None and time.monotonic() < known.until:
            return known.only
        try:
            only = await self._db.read(_found, half, slug, datetime.now(UTC))
        except Unavailable:
            if known is None:
                raise
            return known.only
        self._known[key] = Known(only, time.monotonic() + FRESH_S)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return only


async def narrowed(request: web.Request) -> Narrowed | None:
    """None for nearly everyone, and then told by the names of their cookies alone."""
    text = request.headers.get("Cookie")
    if text is None or ("sid=" not in text and "IsRestrictedAccess=true" not in text):
        return None
    settings, cookies = request.app[keys.SETTINGS], request.cookies
    half = cookies.get(half_name(settings), "")[:LONGEST_SECRET]
    is_partner = cookies.get("IsRestrictedAccess") == "true"
    slug = cookies.get(doorways.partner_cookie(settings), "")[:191] if is_partner else ""
    if not half and not slug:
        return None
    key = sessions.digest(f"{half} {slug}")
    return await request.app[keys.VIEWERS].of(key, half, slug)


def _found(session: Session, half: str, slug: str, at: datetime) -> Narrowed | None:
    """A restricted member sees what their contracts name; only who is none of them is narrowed by a doorway."""
    who = sessions.by_half(session, half, at) if half else None
    access = organisations.access_of(session, None if who is None else who.learner_id, at)
    if access.is_restricted or not slug:
        return access.narrowed
    return organisations.access_of_partner(session, slug, at).narrowed

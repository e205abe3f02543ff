"""The cookie of visitors who followed a partner link."""

import re

from aiohttp import web

from config.settings import Settings
from host.app_keys import SETTINGS

_SLUG = re.compile(r"[a-z0-9-]{1,191}")


def partner_cookie(settings: Settings) -> str:
    """The cookie's name. Pages for a partner's visitors depend on it; no script reads it."""
    return "__Host-partner" if settings.is_secure else "partner"


def partner_slug(request: web.Request) -> str:
    """The slug in the cookie, "" without a valid one. It says who set the link, not that the partner is approved."""
    # Reading all cookies takes longer than this search.
    if "partner=" not in request.headers.get("Cookie", ""):
        return ""
    slug = request.cookies.get(partner_cookie(request.app[SETTINGS]), "")
    return slug if is_slug(slug) else ""


def is_slug(text: str) -> bool:
    return _SLUG.fullmatch(text) is not None

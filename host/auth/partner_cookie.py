"""The cookie of visitors who followed a partner link."""

from config.settings import Settings


def partner_cookie(settings: Settings) -> str:
    """The cookie's name. Pages for a partner's visitors depend on it; no script reads it."""
    return "__Host-partner" if settings.is_secure else "partner"

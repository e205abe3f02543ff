"""The cookies of a sign-in: userInfo, which the specification has script read, and the HttpOnly half beside it."""

import json
import logging
from typing import Any
from urllib.parse import quote

from domain.sessions import LIFETIME, Opened
from host.identity.attempts import Cookies
from host.identity.errors import ProviderAway
from host.sessions import half_name
from host.settings import Settings

log = logging.getLogger("coursefront.identity")

NAME = "userInfo"
# Browsers drop what is larger without a word (4096 bytes with the name and attributes).
LARGEST = 3800
LIFE_S = int(LIFETIME.total_seconds())


def signed_in(settings: Settings, opened: Opened, email: str) -> Cookies:
    """Raises ProviderAway when the cookie would be too large to be kept."""
    told = {"accessToken": opened.handle, "user": {"AAUserID": opened.learner_id, "Email": email}}
    value = quote(json.dumps(told, separators=(",", ":"), ensure_ascii=False), safe="")
    if len(value) > LARGEST:
        log.error("userInfo of learner %s would have %d bytes", opened.learner_id, len(value))
        raise ProviderAway
    common = _common(settings)
    return {
        NAME: (value, {**common, "max_age": LIFE_S}),
        half_name(settings): (opened.half, {**common, "max_age": LIFE_S, "httponly": True}),
    }


def signed_out(settings: Settings) -> Cookies:
    """The end of both."""
    common = {**_common(settings), "max_age": 0}
    return {NAME: ("", common), half_name(settings): ("", {**common, "httponly": True})}


def _common(settings: Settings) -> dict[str, Any]:
    return {"path": "/", "samesite": "Lax", "secure": settings.is_secure}

"""The cookies of a session: userInfo, which scripts read (specification), and the HttpOnly session cookie."""

import json
import logging
from typing import Any
from urllib.parse import quote

from config.settings import Settings
from domain.identity.sessions import NewSession
from host.auth.private_pages import TOKEN_COOKIE
from host.auth.sessions import session_cookie_name
from host.http.request_keys import Cookies
from host.identity.errors import ProviderUnavailable

log = logging.getLogger("coursefront.identity")

# Browsers silently drop larger cookies (the limit is 4096 bytes with the name and attributes).
MAX_SIZE = 3800


def sign_in_cookies(settings: Settings, opened: NewSession, email: str) -> Cookies:
    """The cookies of a new session. Raises ProviderUnavailable when userInfo would be too large for a cookie."""
    user_info = {"accessToken": opened.token, "user": {"AAUserID": opened.learner_id, "Email": email}}
    value = quote(json.dumps(user_info, separators=(",", ":"), ensure_ascii=False), safe="")
    if len(value) > MAX_SIZE:
        log.error("userInfo of learner %s would have %d bytes", opened.learner_id, len(value))
        raise ProviderUnavailable
    common = {**_common(settings), "max_age": settings.sign_in_minutes * 60}
    return {
        TOKEN_COOKIE: (value, common),
        session_cookie_name(settings): (opened.cookie_secret, {**common, "httponly": True}),
    }


def sign_out_cookies(settings: Settings) -> Cookies:
    """The deletion of both cookies."""
    common = {**_common(settings), "max_age": 0}
    return {TOKEN_COOKIE: ("", common), session_cookie_name(settings): ("", {**common, "httponly": True})}


def _common(settings: Settings) -> dict[str, Any]:
    return {"path": "/", "samesite": "Lax", "secure": settings.is_secure}

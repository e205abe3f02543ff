"""Sign-in attempts in progress, stored in encrypted cookies of the browser until the provider redirects back.

A callback without the attempt's cookie is refused, so a forged callback signs nobody in. Each tab has its own cookie,
named after its state; the cookie `lts` lists them, to limit their number (request headers have a size limit).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from secrets import compare_digest

from aiohttp import web
from authlib.common.security import generate_token

from domain.permissions import AREAS, Area
from host.auth.token_cipher import TokenCipher
from host.http.request_keys import Cookies
from host.identity.errors import ForeignState, NoTransaction
from host.identity.id_token import SKEW_S

CALLBACK = "/logincallback"
# Specification §9: an attempt is valid for 30 minutes.
MAX_AGE_S = 1800
MAX_ATTEMPTS = 5
_LIST, _LIST_PATH = "lts", "/api/auth"
_MARK = re.compile(r"[0-9a-f]{32}")
TOKEN_LENGTH = 64


@dataclass(frozen=True)
class Attempt:
    """`at`: seconds since 1970. `return_to` is a path on this site, `area` the area that is signed in to. `is_step_up`:
    the provider was asked for a second factor. `asks_account`: the scopes of the account pages were asked for;
    `is_silent`: without showing a page of the provider."""

    state: str
    nonce: str
    verifier: str
    return_to: str
    area: Area
    at: int
    is_step_up: bool = False
    asks_account: bool = False
    is_silent: bool = False


def new_attempt(return_to: str, area: Area, now: float, *, is_step_up: bool = False) -> Attempt:
    state, nonce, verifier = (generate_token(TOKEN_LENGTH) for _ in range(3))
    return Attempt(state, nonce, verifier, return_to, area, int(now), is_step_up)


def _mark(state: str) -> str:
    return sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _name(mark: str) -> str:
    return f"lt_{mark}"


def attempt_cookies(request: web.Request, attempt: Attempt, cipher: TokenCipher, *, is_secure: bool) -> Cookies:
    """The cookies to set: this attempt's, the list, and the deletion of the oldest ones past the limit."""
    new_mark = _mark(attempt.state)
    listed = [mark for mark in request.cookies.get(_LIST, "").split(".") if _MARK.fullmatch(mark)]
    marks = [new_mark, *dict.fromkeys(mark for mark in listed if mark != new_mark)]
    common = {"httponly": True, "samesite": "Lax", "secure": is_secure}
    cookies: Cookies = {_name(mark): ("", {**common, "path": CALLBACK, "max_age": 0}) for mark in marks[MAX_ATTEMPTS:]}
    encrypted = cipher.encrypt(json.dumps(asdict(attempt)))
    cookies[_name(new_mark)] = (encrypted, {**common, "path": CALLBACK, "max_age": MAX_AGE_S})
    cookies[_LIST] = (".".join(marks[:MAX_ATTEMPTS]), {**common, "path": _LIST_PATH, "max_age": MAX_AGE_S})
    return cookies


def clear_attempt(state: str, *, is_secure: bool) -> Cookies:
    """The deletion of an attempt's cookie, so that the attempt cannot be used twice."""
    common = {"httponly": True, "samesite": "Lax", "secure": is_secure}
    return {_name(_mark(state)): ("", {**common, "path": CALLBACK, "max_age": 0})}


def has_attempt(cookies: Mapping[str, str], state: str) -> bool:
    """Whether this browser has an attempt with this state, expired or not."""
    return bool(state) and _name(_mark(state)) in cookies


def load_attempt(cookies: Mapping[str, str], state: str, cipher: TokenCipher, now: float) -> Attempt:
    """The attempt that this browser began with this state. Raises ForeignState when `state` is empty or does not match
    the stored one, NoTransaction when there is no valid attempt."""
    if not state:
        raise ForeignState
    encrypted = cookies.get(_name(_mark(state)))
    attempt = None if encrypted is None else _read(cipher.decrypt(encrypted))
    if attempt is None or not -SKEW_S <= now - attempt.at <= MAX_AGE_S:
        raise NoTransaction
    if not compare_digest(attempt.state.encode(), state.encode("utf-8", "surrogatepass")):
        raise ForeignState
    return attempt


def _read(text: str | None) -> Attempt | None:
    try:
        attempt = Attempt(**json.loads(text)) if text else None
    except (ValueError, TypeError):
        return None
    return attempt if attempt is not None and attempt.area in AREAS else None

"""A sign-in under way in one browser: kept by that browser, in a cookie that only we can read, for the way back.

No cookie, no sign-in: a callback that somebody else made ends nowhere. Several tabs have a cookie each, named after
their state; `lts` remembers which, so that a browser never carries more than a few (a request's head has a limit).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from secrets import compare_digest
from typing import Any

from aiohttp import web
from authlib.common.security import generate_token

from domain.sign_ins import AREAS
from host.identity.errors import ForeignState, NoTransaction
from host.identity.secret import Secret
from host.identity.tokens import SKEW_S

CALLBACK = "/logincallback"
# Specification §9: what was begun may come back for 30 minutes.
LIFE_S = 1800
MOST = 5
_LIST, _LIST_PATH = "lts", "/api/auth"
_MARK = re.compile(r"[0-9a-f]{32}")
LETTERS = 64


@dataclass(frozen=True)
class Attempt:
    """`at`: seconds since 1970. `return_to` is a path on this site, `area` where the person wants in."""

    state: str
    nonce: str
    verifier: str
    return_to: str
    area: str
    at: int


def begun(return_to: str, area: str, now: float) -> Attempt:
    state, nonce, verifier = (generate_token(LETTERS) for _ in range(3))
    return Attempt(state, nonce, verifier, return_to, area, int(now))


def _mark(state: str) -> str:
    return sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _name(mark: str) -> str:
    return f"lt_{mark}"


Cookies = dict[str, tuple[str, dict[str, Any]]]


def kept(request: web.Request, attempt: Attempt, secret: Secret, *, is_secure: bool) -> Cookies:
    """The cookies that go with the answer: this attempt's, the list, and the end of those past the limit."""
    mine = _mark(attempt.state)
    marks = [one for one in request.cookies.get(_LIST, "").split(".") if _MARK.fullmatch(one)]
    known = [mine, *dict.fromkeys(one for one in marks if one != mine)]
    common = {"httponly": True, "samesite": "Lax", "secure": is_secure}
    made: Cookies = {_name(one): ("", {**common, "path": CALLBACK, "max_age": 0}) for one in known[MOST:]}
    sealed = secret.sealed(json.dumps(asdict(attempt)))
    made[_name(mine)] = (sealed, {**common, "path": CALLBACK, "max_age": LIFE_S})
    made[_LIST] = (".".join(known[:MOST]), {**common, "path": _LIST_PATH, "max_age": LIFE_S})
    return made


def spent(state: str, *, is_secure: bool) -> Cookies:
    """The end of an attempt's cookie: it counts once."""
    common = {"httponly": True, "samesite": "Lax", "secure": is_secure}
    return {_name(_mark(state)): ("", {**common, "path": CALLBACK, "max_age": 0})}


def is_begun(cookies: Mapping[str, str], state: str) -> bool:
    """Whether this browser has an attempt of this state; it may be over."""
    return bool(state) and _name(_mark(state)) in cookies


def found(cookies: Mapping[str, str], state: str, secret: Secret, now: float) -> Attempt:
    """The attempt this browser began with this state. Raises ForeignState without a state, else NoTransaction."""
    if not state:
        raise ForeignState
    sealed = cookies.get(_name(_mark(state)))
    attempt = None if sealed is None else _read(secret.opened(sealed))
    if attempt is None or not -SKEW_S <= now - attempt.at <= LIFE_S:
        raise NoTransaction
    if not compare_digest(attempt.state.encode(), state.encode("utf-8", "surrogatepass")):
        raise ForeignState
    return attempt


def _read(text: str | None) -> Attempt | None:
    try:
        made = Attempt(**json.loads(text)) if text else None
    except (ValueError, TypeError):
        return None
    return made if made is not None and made.area in AREAS else None

"""What a transaction needs to go on: kept encrypted in the records, named by a cookie of the browser."""

import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from domain import transactions
from domain.sessions import SECRET_BYTES
from domain.transactions import Kept
from host import keys
from host.identity.attempts import Attempt, Cookies, begun
from host.identity.errors import NoSavedTransaction, TransactionOver
from host.identity.idx.answers import Answer
from host.sessions import LONGEST_SECRET
from host.settings import Settings

LIFE_S = int(transactions.LIFE.total_seconds())


@dataclass(frozen=True)
class Meta:
    """`answer` is the provider's last one; `poll_at` (seconds since 1970) when it may be asked again, after
    `failures` in a row."""

    flow: str
    area: str
    return_to: str
    state: str
    nonce: str
    verifier: str
    username: str = ""
    interaction_handle: str = ""
    state_handle: str = ""
    answer: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    is_step_up: bool = False
    poll_at: float = 0.0
    failures: int = 0

    @property
    def last(self) -> Answer:
        return Answer(self.answer, self.status, self.is_step_up)

    @property
    def attempt(self) -> Attempt:
        """As the exchange of its code needs it."""
        return Attempt(self.state, self.nonce, self.verifier, self.return_to, self.area, 0)

    def after(self, answer: Answer) -> "Meta":
        handle = answer.state_handle or self.state_handle
        said: dict[str, Any] = {"answer": answer.data, "status": answer.status, "is_step_up": answer.is_step_up}
        return replace(self, state_handle=handle, **said)


def fresh(flow: str, area: str, return_to: str, username: str) -> Meta:
    made = begun(return_to, area, 0)
    return Meta(flow, area, return_to, made.state, made.nonce, made.verifier, username)


@dataclass(frozen=True)
class Open:
    """A transaction of this browser, read."""

    kept: Kept
    meta: Meta


def cookie_name(settings: Settings) -> str:
    return "__Host-tx" if settings.is_secure else "tx"


def _cookie(settings: Settings, value: str, max_age: int) -> Cookies:
    attributes = {"path": "/", "samesite": "Lax", "secure": settings.is_secure, "httponly": True, "max_age": max_age}
    return {cookie_name(settings): (value, attributes)}


def ended(settings: Settings) -> Cookies:
    return _cookie(settings, "", 0)


async def keep_new(request: web.Request, meta: Meta) -> tuple[Open, Cookies]:
    """A record of its own; the browser's former transaction is left to its end."""
    handle = secrets.token_urlsafe(SECRET_BYTES)
    sealed = request.app[keys.SECRET].sealed(json.dumps(asdict(meta)))
    now = datetime.now(UTC)
    kept = await request.app[keys.DATABASE].run(transactions.begin, handle, meta.state, sealed, now)
    return Open(kept, meta), _cookie(request.app[keys.SETTINGS], handle, LIFE_S)


async def load(request: web.Request) -> Open:
    """Raises NoSavedTransaction without one, TransactionOver when its 30 minutes are over."""
    handle = request.cookies.get(cookie_name(request.app[keys.SETTINGS]), "")
    if not 0 < len(handle) <= LONGEST_SECRET:
        raise NoSavedTransaction
    kept = await request.app[keys.DATABASE].read(transactions.by_handle, handle)
    text = None if kept is None else request.app[keys.SECRET].opened(kept.meta)
    if kept is None or text is None:
        raise NoSavedTransaction
    if kept.is_over(datetime.now(UTC)):
        raise TransactionOver
    return Open(kept, Meta(**json.loads(text)))


async def save(request: web.Request, one: Open, meta: Meta) -> Open | None:
    """What is known now. None where another tab was faster: what that one knows stays."""
    sealed = request.app[keys.SECRET].sealed(json.dumps(asdict(meta)))
    if not await request.app[keys.DATABASE].run(transactions.change, one.kept, sealed):
        return None
    return Open(replace(one.kept, meta=sealed, version=one.kept.version + 1), meta)


async def end(request: web.Request, one: Open) -> bool:
    """False when another tab ended it."""
    return await request.app[keys.DATABASE].run(transactions.end, one.kept)

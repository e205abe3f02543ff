"""The state of a transaction: stored encrypted in the database, found by a token in a cookie of the browser."""

import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from config.settings import Settings
from domain.identity import flows
from domain.identity.flows import StoredFlow
from domain.identity.sessions import SECRET_BYTES
from domain.permissions import Area
from host.app_keys import DATABASE, SETTINGS
from host.auth.sessions import MAX_SECRET_LENGTH
from host.auth.token_cipher import TOKEN_CIPHER
from host.http.request_keys import Cookies
from host.identity.attempts import Attempt, new_attempt
from host.identity.errors import NoSavedTransaction, TransactionOver
from host.identity.idx.enrolment import required_ways
from host.identity.idx.response import IdxResponse

MAX_AGE_S = int(flows.FLOW_TTL.total_seconds())


@dataclass(frozen=True)
class FlowState:
    """`answer` is the provider's last response; `poll_at` (seconds since 1970) the earliest time of the next poll,
    after `failures` in a row. `ways`: how many ways to prove who one is a new account needs, before its profile is
    stored the number that the last one needed; `ways_left`: those not set up yet."""

    flow: str
    area: Area
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
    ways: int = 0
    ways_left: int = 0

    @property
    def last(self) -> IdxResponse:
        return IdxResponse(self.answer, self.status, self.is_step_up)

    @property
    def asks_account(self) -> bool:
        """A registration also asks for the scopes of the account pages: what is missing there is asked for next."""
        return self.flow == "register"

    @property
    def attempt(self) -> Attempt:
        """The attempt that the exchange of an interaction code needs."""
        attempt = Attempt(self.state, self.nonce, self.verifier, self.return_to, self.area, 0)
        return replace(attempt, asks_account=self.asks_account)

    def after(self, response: IdxResponse) -> "FlowState":
        """This state with a new response."""
        left = required_ways(response)
        left_count = self.ways_left if left is None else len(left)
        is_profile_stored = self.last.form("enroll-profile") is None
        ways = self.ways if left is None else max(self.ways, left_count) if is_profile_stored else left_count
        return replace(
            self,
            ways=ways,
            ways_left=left_count,
            state_handle=response.state_handle or self.state_handle,
            answer=response.data,
            status=response.status,
            is_step_up=response.is_step_up,
        )


def new_state(flow: str, area: Area, return_to: str, username: str) -> FlowState:
    attempt = new_attempt(return_to, area, 0)
    return FlowState(flow, area, return_to, attempt.state, attempt.nonce, attempt.verifier, username)


@dataclass(frozen=True)
class OpenFlow:
    """A transaction of this browser with its decrypted state."""

    stored: StoredFlow
    state: FlowState


def cookie_name(settings: Settings) -> str:
    return "__Host-tx" if settings.is_secure else "tx"


def _cookie(settings: Settings, value: str, max_age: int) -> Cookies:
    attributes = {"path": "/", "samesite": "Lax", "secure": settings.is_secure, "httponly": True, "max_age": max_age}
    return {cookie_name(settings): (value, attributes)}


def cleared_cookie(settings: Settings) -> Cookies:
    return _cookie(settings, "", 0)


async def create(request: web.Request, state: FlowState) -> tuple[OpenFlow, Cookies]:
    """Store a new transaction. The browser's former transaction is not changed and expires by itself."""
    handle = secrets.token_urlsafe(SECRET_BYTES)
    encrypted = request.app[TOKEN_CIPHER].encrypt(json.dumps(asdict(state)))
    now = datetime.now(UTC)
    stored = await request.app[DATABASE].write(flows.begin, handle, state.state, encrypted, now)
    return OpenFlow(stored, state), _cookie(request.app[SETTINGS], handle, MAX_AGE_S)


async def load(request: web.Request) -> OpenFlow:
    """Load this browser's transaction. Raises NoSavedTransaction without one, TransactionOver when expired."""
    handle = request.cookies.get(cookie_name(request.app[SETTINGS]), "")
    if not 0 < len(handle) <= MAX_SECRET_LENGTH:
        raise NoSavedTransaction
    stored = await request.app[DATABASE].read(flows.by_cookie, handle)
    text = None if stored is None else request.app[TOKEN_CIPHER].decrypt(stored.encrypted_state)
    if stored is None or text is None:
        raise NoSavedTransaction
    if stored.is_over(datetime.now(UTC)):
        raise TransactionOver
    return OpenFlow(stored, FlowState(**json.loads(text)))


async def save(request: web.Request, open_flow: OpenFlow, state: FlowState) -> OpenFlow | None:
    """Store a new state. None when another tab saved or ended the transaction first: its state stays."""
    encrypted = request.app[TOKEN_CIPHER].encrypt(json.dumps(asdict(state)))
    if not await request.app[DATABASE].write(flows.change, open_flow.stored, encrypted):
        return None
    return OpenFlow(replace(open_flow.stored, encrypted_state=encrypted, version=open_flow.stored.version + 1), state)


async def end(request: web.Request, open_flow: OpenFlow) -> bool:
    """Delete the transaction. False when another tab had ended it."""
    return await request.app[DATABASE].write(flows.end, open_flow.stored)

"""Client of the provider's authn API (classic authentication). Each reply contains the links for the next calls.

Signing in with a password uses it; the calls for factors are part of the specification. Only links to the provider's
own authn API are followed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from host.identity.errors import (
    AutoPushFailed,
    CallRefused,
    NoEvaluate,
    NoLinkName,
    NoResume,
    NoSuchLink,
    PollStopped,
    ProviderRateLimited,
    ProviderUnavailable,
    RememberDeviceFailed,
    SignInError,
    text_of,
)
from host.identity.provider import Provider
from host.identity.provider_http import EMPTY_REQUEST, ProviderReply, ProviderRequest, origin_of

CALLS = "/api/v1/authn"
# Specification §9.
POLL_DELAY_S = 0.5
MAX_RETRIES = 5
INVALID_TOKEN = "E0000011"  # noqa: S105 an error code
_ENROLLING = ("MFA_ENROLL", "FACTOR_ENROLL")

Json = dict[str, Any]
Pause = Callable[[float], Awaitable[None]]
# A value, or a callback that returns it when the call is made.
Choice = bool | Callable[[], bool] | None


@dataclass
class Saved:
    """The state token of a sign-in in progress, valid until `until` (aware); None without one."""

    token: str | None = None
    until: datetime | None = None

    def update(self, data: Json) -> None:
        """Take the token of a reply, if the reply has an expiry too; clear it when the reply has no token."""
        token, until = data.get("stateToken"), data.get("expiresAt")
        if isinstance(token, str) and isinstance(until, str):
            self.token, self.until = token, datetime.fromisoformat(until)
        elif token is None:
            self.clear()

    def clear(self) -> None:
        self.token = self.until = None

    def valid_token(self, now: datetime) -> str | None:
        return self.token if self.until is not None and now < self.until else None


@dataclass(frozen=True)
class AuthnOptions:
    """Query parameters of a link: whether pushes are sent automatically, whether the device is remembered."""

    auto_push: Choice = None
    remember_device: Choice = None

    def query(self) -> dict[str, str]:
        """The parameters that are set. Raises AutoPushFailed or RememberDeviceFailed when the callback raises."""
        choices = (
            ("autoPush", self.auto_push, AutoPushFailed),
            ("rememberDevice", self.remember_device, RememberDeviceFailed),
        )
        values = {name: _flag(choice, error) for name, choice, error in choices}
        return {name: value for name, value in values.items() if value is not None}


def _flag(choice: Choice, error: type[SignInError]) -> str | None:
    try:
        value = choice() if callable(choice) else choice
    except Exception:
        raise error from None
    return None if value is None else str(bool(value)).lower()


NO_OPTIONS = AuthnOptions()


class AuthnClient:
    """Makes calls for one visitor: `headers` identify them to the provider, `now` returns an aware time.

    Every call raises CallRefused, ProviderRateLimited and ProviderUnavailable.
    """

    def __init__(
        self,
        provider: Provider,
        headers: Mapping[str, str],
        saved: Saved | None = None,
        *,
        now: Callable[[], datetime],
        pause: Pause = asyncio.sleep,
    ):
        self._provider, self._headers, self._now = provider, headers, now
        self.saved, self.pause = saved or Saved(), pause

    async def sign_in(self, name: str, password: str, fingerprint: str = "") -> "AuthnTransaction":
        """Sign in with a password; the status PASSWORD_WARN says that it expires soon."""
        headers = {"X-Device-Fingerprint": fingerprint} if fingerprint else {}
        options = {"warnBeforePasswordExpired": True}
        return await self.post(CALLS, {"username": name, "password": password, "options": options}, headers)

    async def resume(self, token: str | None = None) -> "AuthnTransaction":
        """Resume a sign-in. Raises NoResume when `token` is None and none is saved."""
        return await self.post(CALLS, self._state_token(token, NoResume))

    async def introspect(self, token: str | None = None) -> "AuthnTransaction":
        """Return the state of a sign-in without changing it or extending its expiry. Raises NoEvaluate."""
        return await self.post(f"{CALLS}/introspect", self._state_token(token, NoEvaluate))

    async def recover(self, name: str, via: str = "EMAIL") -> "AuthnTransaction":
        """Start recovering a password. `via` EMAIL, SMS or CALL; the reply is the same for unknown names."""
        return await self.post(f"{CALLS}/recovery/password", {"username": name, "factorType": via})

    async def unlock(self, name: str, via: str = "EMAIL") -> "AuthnTransaction":
        """Start unlocking an account."""
        return await self.post(f"{CALLS}/recovery/unlock", {"username": name, "factorType": via})

    def _state_token(self, token: str | None, error: type[SignInError]) -> Json:
        state_token = token or self.saved.valid_token(self._now())
        if state_token is None:
            raise error
        return {"stateToken": state_token}

    async def post(self, path: str, body: Json, headers: Mapping[str, str] | None = None) -> "AuthnTransaction":
        """Make a call and save the state token of its reply."""
        data = await self.call(path, body, headers or {})
        self.saved.update(data)
        return AuthnTransaction(self, data)

    async def call(self, path: str, body: Json, headers: Mapping[str, str] = EMPTY_REQUEST.headers) -> Json:
        """Make one authn call and return the JSON of its reply. `path` may be a link; links to other origins or other
        APIs raise ProviderUnavailable."""
        address = path if "://" in path else self._provider.origin + path
        parts = urlsplit(address)
        if origin_of(address) != self._provider.origin or not _is_authn(parts.path):
            raise ProviderUnavailable
        request = ProviderRequest(body, headers={**self._headers, **headers})
        reply = await self._provider.wire.request("POST", address, request)
        if reply.is_good and not reply.get("error"):
            return reply.data if isinstance(reply.data, dict) else {}
        raise self._refusal(reply)

    def _refusal(self, reply: ProviderReply) -> CallRefused:
        code, causes = str(reply.get("errorCode") or ""), reply.get("errorCauses")
        if code == INVALID_TOKEN:
            self.saved.clear()
        texts = tuple(text for cause in (causes if isinstance(causes, list) else []) if (text := text_of(cause)))
        return CallRefused(reply.status, code, text_of(reply.data), texts)


def _is_authn(path: str) -> bool:
    return (path == CALLS or path.startswith(f"{CALLS}/")) and ".." not in path


@dataclass
class AuthnTransaction:
    """One reply of the authn API. `follow` and `poll` make the next call; `of` selects the links of a factor."""

    client: AuthnClient
    data: Json
    _polls: list[object] = field(default_factory=list)

    @property
    def status(self) -> str:
        status = self.data.get("status")
        return status if isinstance(status, str) else "unknown"

    @property
    def session_token(self) -> str | None:
        token = self.data.get("sessionToken")
        return token if isinstance(token, str) and token else None

    @property
    def factors(self) -> list[Json]:
        embedded = self.data.get("_embedded")
        rows = embedded.get("factors") if isinstance(embedded, dict) else None
        return [factor for factor in rows or [] if isinstance(factor, dict)]

    async def follow(
        self,
        name: str,
        variant: str | None = None,
        /,
        *,
        of: Json | None = None,
        options: AuthnOptions = NO_OPTIONS,
        **body: Any,
    ) -> "AuthnTransaction":
        """Follow a link, such as verify or resend; `variant` selects one of several. Ends a running poll of this reply.

        Raises NoSuchLink and NoLinkName beside the errors of calls.
        """
        link = link_of(self.data if of is None else of, name, variant)
        self._polls.clear()
        values = {**body, **self._enrolment_values(of)}
        return await self.client.post(_with_query(link["href"], options.query()), {**self._token(), **values})

    def _enrolment_values(self, of: Json | None) -> Json:
        """The type of the factor to enrol: it is required, and its link does not contain it."""
        if of is None or self.status not in _ENROLLING:
            return {}
        return {name: of[name] for name in ("factorType", "provider") if name in of}

    def _token(self) -> Json:
        return {"stateToken": self.data["stateToken"]} if "stateToken" in self.data else {}

    async def poll(self, options: AuthnOptions = NO_OPTIONS, delay_s: float = POLL_DELAY_S) -> "AuthnTransaction":
        """Poll until the person has reacted on the other device. Waits 1, 2, 4, 8 and 16 s after failures without a
        response and after 429; the sixth in a row is raised. Raises PollStopped when another link was followed.
        """
        link, poll_id, retries = link_of(self.data, "poll", None), object(), 0
        self._polls[:] = [poll_id]
        while True:
            self._require_running(poll_id)
            try:
                data = await self.client.call(_with_query(link["href"], options.query()), self._token())
            except (ProviderUnavailable, ProviderRateLimited) as error:
                if retries >= MAX_RETRIES or not _is_temporary(error):
                    raise
                await self.client.pause(2**retries)
                retries += 1
                continue
            retries = 0
            if data.get("factorResult") != "WAITING":
                self._polls.clear()
                return AuthnTransaction(self.client, data)
            self._require_running(poll_id)
            await self.client.pause(delay_s)

    def _require_running(self, poll_id: object) -> None:
        if poll_id not in self._polls:
            raise PollStopped


def _is_temporary(error: SignInError) -> bool:
    """Whether a retry may help: there was no response, or a 429. A 5xx response is final."""
    return isinstance(error, ProviderRateLimited) or (isinstance(error, ProviderUnavailable) and not error.status)


def _with_query(address: str, query: dict[str, str]) -> str:
    return f"{address}?{urlencode(query)}" if query else address


def link_of(part: Json, name: str, variant: str | None) -> Json:
    """A link by its name, or by its key where it has no name. Raises NoSuchLink, NoLinkName."""
    links = part.get("_links")
    for key, link in (links if isinstance(links, dict) else {}).items():
        if isinstance(link, list) and key == name:
            return _select_link(link, variant)
        if isinstance(link, dict) and link.get("name", key) == name and _is_call(link):
            return link
    raise NoSuchLink


def _select_link(links: list[Any], variant: str | None) -> Json:
    if not variant:
        raise NoLinkName
    for link in links:
        if isinstance(link, dict) and link.get("name") == variant and _is_call(link):
            return link
    raise NoSuchLink


def _is_call(link: Json) -> bool:
    hints = link.get("hints")
    return isinstance(hints, dict) and hints.get("allow") == ["POST"] and isinstance(link.get("href"), str)

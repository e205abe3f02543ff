"""Classic authentication: a client of the provider's authn calls. Each answer brings the links that may be followed.

Signing in uses it; so can whoever drives classic factors. It follows links of the provider's own authn calls alone.
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
    ProviderAway,
    ProviderBusy,
    RememberDeviceFailed,
    SignInError,
    text_of,
)
from host.identity.provider import Provider
from host.identity.transport import NOTHING, Reply, Sent, origin_of

CALLS = "/api/v1/authn"
# Specification §9.
POLL_DELAY_S = 0.5
MOST_RETRIES = 5
INVALID_TOKEN = "E0000011"  # noqa: S105 an error's code
_ENROLLING = ("MFA_ENROLL", "FACTOR_ENROLL")

Json = dict[str, Any]
Pause = Callable[[float], Awaitable[None]]
# Said at once, or asked for when the call is made.
Choice = bool | Callable[[], bool] | None


@dataclass
class Saved:
    """The state token of a sign-in under way, good until `until` (aware); None when there is none."""

    token: str | None = None
    until: datetime | None = None

    def keep(self, answer: Json) -> None:
        """Both halves or nothing: an answer that does not say until when cannot be resumed."""
        token, until = answer.get("stateToken"), answer.get("expiresAt")
        if isinstance(token, str) and isinstance(until, str):
            self.token, self.until = token, datetime.fromisoformat(until)
        elif token is None:
            self.forget()

    def forget(self) -> None:
        self.token = self.until = None

    def good(self, now: datetime) -> str | None:
        return self.token if self.until is not None and now < self.until else None


@dataclass(frozen=True)
class Asked:
    """What goes into a link's address: whether pushes are sent by themselves, whether the device is remembered."""

    auto_push: Choice = None
    remember_device: Choice = None

    def query(self) -> dict[str, str]:
        """Raises AutoPushFailed and RememberDeviceFailed when asking fails, whatever way."""
        rows = (
            ("autoPush", self.auto_push, AutoPushFailed),
            ("rememberDevice", self.remember_device, RememberDeviceFailed),
        )
        return {name: said for name, choice, error in rows if (said := _said(choice, error)) is not None}


def _said(choice: Choice, error: type[SignInError]) -> str | None:
    try:
        found = choice() if callable(choice) else choice
    except Exception:
        raise error from None
    return None if found is None else str(bool(found)).lower()


NOTHING_ASKED = Asked()


class Classic:
    """For one visitor: `headers` say on whose behalf, `now` answers an aware time.

    Every call raises CallRefused, ProviderBusy and ProviderAway.
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

    async def sign_in(self, name: str, password: str, fingerprint: str = "") -> "Transaction":
        more = {"X-Device-Fingerprint": fingerprint} if fingerprint else {}
        return await self.post(CALLS, {"username": name, "password": password}, more)

    async def resume(self, token: str | None = None) -> "Transaction":
        """Where a sign-in stands. Raises NoResume without a token, given or saved."""
        return await self.post(CALLS, self._of(token, NoResume))

    async def introspect(self, token: str | None = None) -> "Transaction":
        """The same, changing nothing, not even how long it lasts. Raises NoEvaluate."""
        return await self.post(f"{CALLS}/introspect", self._of(token, NoEvaluate))

    async def recover(self, name: str, via: str = "EMAIL") -> "Transaction":
        """`via` EMAIL, SMS or CALL; for unknown names the answer is the same."""
        return await self.post(f"{CALLS}/recovery/password", {"username": name, "factorType": via})

    async def unlock(self, name: str, via: str = "EMAIL") -> "Transaction":
        return await self.post(f"{CALLS}/recovery/unlock", {"username": name, "factorType": via})

    async def verify_recovery(self, token: str) -> "Transaction":
        """With the token of a mail."""
        return await self.post(f"{CALLS}/recovery/token", {"recoveryToken": token})

    def _of(self, token: str | None, error: type[SignInError]) -> Json:
        found = token or self.saved.good(self._now())
        if found is None:
            raise error
        return {"stateToken": found}

    async def post(self, path: str, body: Json, headers: Mapping[str, str] | None = None) -> "Transaction":
        answer = await self.ask(path, body, headers or {})
        self.saved.keep(answer)
        return Transaction(self, answer)

    async def ask(self, path: str, body: Json, headers: Mapping[str, str] = NOTHING.headers) -> Json:
        """One call of authn, given by its path or by a link; only the provider's own are made."""
        address = path if "://" in path else self._provider.origin + path
        parts = urlsplit(address)
        if origin_of(address) != self._provider.origin or not _is_authn(parts.path):
            raise ProviderAway
        sent = Sent(body, headers={**self._headers, **headers})
        reply = await self._provider.wire.ask("POST", address, sent)
        if reply.is_good and not reply.get("error"):
            return reply.data if isinstance(reply.data, dict) else {}
        raise self._refused(reply)

    def _refused(self, reply: Reply) -> CallRefused:
        code, causes = str(reply.get("errorCode") or ""), reply.get("errorCauses")
        if code == INVALID_TOKEN:
            self.saved.forget()
        found = causes if isinstance(causes, list) else []
        texts = tuple(text for one in found if (text := text_of(one)))
        return CallRefused(reply.status, code, text_of(reply.data), texts)


def _is_authn(path: str) -> bool:
    return (path == CALLS or path.startswith(f"{CALLS}/")) and ".." not in path


@dataclass
class Transaction:
    """One answer. `follow` and `poll` make the next one; the links of a factor in it are followed with `of`."""

    client: Classic
    data: Json
    _polls: list[object] = field(default_factory=list)

    @property
    def status(self) -> str:
        found = self.data.get("status")
        return found if isinstance(found, str) else "unknown"

    @property
    def session_token(self) -> str | None:
        found = self.data.get("sessionToken")
        return found if isinstance(found, str) and found else None

    @property
    def factors(self) -> list[Json]:
        embedded = self.data.get("_embedded")
        rows = embedded.get("factors") if isinstance(embedded, dict) else None
        return [one for one in rows or [] if isinstance(one, dict)]

    async def follow(
        self,
        name: str,
        which: str | None = None,
        /,
        *,
        of: Json | None = None,
        asked: Asked = NOTHING_ASKED,
        **body: Any,
    ) -> "Transaction":
        """A link, such as verify or resend; `which` of several. A poll of this answer ends by it.

        Raises NoSuchLink and NoLinkName beside what calls raise.
        """
        link = link_of(self.data if of is None else of, name, which)
        self._polls.clear()
        given = {**body, **self._of_enrolment(of)}
        return await self.client.post(_with(link["href"], asked.query()), {**self._token(), **given})

    def _of_enrolment(self, of: Json | None) -> Json:
        """Factors are enrolled by their type, which stands in the factor and not in its link."""
        if of is None or self.status not in _ENROLLING:
            return {}
        return {name: of[name] for name in ("factorType", "provider") if name in of}

    def _token(self) -> Json:
        return {"stateToken": self.data["stateToken"]} if "stateToken" in self.data else {}

    async def poll(self, asked: Asked = NOTHING_ASKED, delay_s: float = POLL_DELAY_S) -> "Transaction":
        """Asks until the person has answered. After a failure on the way, or a 429, it waits 1, 2, 4, 8 and 16 s.

        Raises PollStopped when another link was followed meanwhile, then what the sixth failure in a row was.
        """
        link, mine, retries = link_of(self.data, "poll", None), object(), 0
        self._polls[:] = [mine]
        while True:
            self._still(mine)
            try:
                answer = await self.client.ask(_with(link["href"], asked.query()), self._token())
            except (ProviderAway, ProviderBusy) as error:
                if retries >= MOST_RETRIES or not _may_pass(error):
                    raise
                await self.client.pause(2**retries)
                retries += 1
                continue
            retries = 0
            if answer.get("factorResult") != "WAITING":
                self._polls.clear()
                return Transaction(self.client, answer)
            self._still(mine)
            await self.client.pause(delay_s)

    def _still(self, mine: object) -> None:
        if mine not in self._polls:
            raise PollStopped


def _may_pass(error: SignInError) -> bool:
    """Nothing came back, or too much was asked; what answers 5xx has failed."""
    return isinstance(error, ProviderBusy) or (isinstance(error, ProviderAway) and not error.status)


def _with(address: str, query: dict[str, str]) -> str:
    return f"{address}?{urlencode(query)}" if query else address


def link_of(part: Json, name: str, which: str | None) -> Json:
    """A link by the name of what it does: its own, or that of its place. Raises NoSuchLink, NoLinkName."""
    links = part.get("_links")
    for place, found in (links if isinstance(links, dict) else {}).items():
        if isinstance(found, list) and place == name:
            return _one_of(found, which)
        if isinstance(found, dict) and found.get("name", place) == name and _is_call(found):
            return found
    raise NoSuchLink


def _one_of(links: list[Any], which: str | None) -> Json:
    if not which:
        raise NoLinkName
    found = next((one for one in links if isinstance(one, dict) and one.get("name") == which and _is_call(one)), None)
    if found is None:
        raise NoSuchLink
    return found


def _is_call(link: Json) -> bool:
    hints = link.get("hints")
    return isinstance(hints, dict) and hints.get("allow") == ["POST"] and isinstance(link.get("href"), str)

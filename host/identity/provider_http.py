"""HTTP to the provider: one client, one deadline, answers of bounded size, no redirects, no remembered cookies."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import orjson
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from multidict import CIMultiDictProxy

from host.breaker import Breaker
from host.identity.errors import ProviderAway, ProviderBusy

log = logging.getLogger("coursefront.identity")

LARGEST_ANSWER = 2**20
MOST_CONNECTIONS = 40
# So many failures in a row, and it is left alone until it answers again.
FAILURES = 5
BUSY_S = 60
LONGEST_BUSY_S = 3600


@dataclass(frozen=True)
class Sent:
    """What goes along with a question: JSON, or a form, or nothing; and headers beside the usual ones."""

    json: Any = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    # A 429 says more than when to come back: it is answered like any other.
    keeps_busy: bool = False


NOTHING = Sent()


@dataclass(frozen=True)
class Reply:
    """`data` is the JSON of the body, None for an empty one."""

    status: int
    headers: CIMultiDictProxy[str]
    data: Any

    @property
    def is_good(self) -> bool:
        return self.status < 300

    def get(self, name: str) -> Any:
        """A member of the answer; None when there is none, or the answer is no object."""
        return self.data.get(name) if isinstance(self.data, dict) else None


def origin_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower()


class Transport:
    """`ask` raises ProviderAway for everything that is no answer of the provider, ProviderBusy for 429."""

    def __init__(self, breaker: Breaker, deadline_s: float):
        self.deadline_s = deadline_s
        self.breaker = breaker
        self._failures = 0
        self._http: ClientSession | None = None

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """Everything inside has the deadline of one call together; past it ProviderAway."""
        try:
            async with asyncio.timeout(self.deadline_s):
                yield
        except TimeoutError:
            self._failed("it is slow")
            raise ProviderAway from None

    async def ask(self, method: str, address: str, sent: Sent = NOTHING, *, is_probe: bool = False) -> Reply:
        """`is_probe`: also while the provider is left alone; what fails then is nothing new."""
        if self.breaker.is_open and not is_probe:
            raise ProviderAway
        try:
            reply = await self._answer(method, address, sent)
        except (ClientError, OSError, TimeoutError, ValueError) as error:
            self._noted(type(error).__name__, address, is_probe=is_probe)
            raise ProviderAway(error.status if isinstance(error, Unreadable) else 0) from None
        if reply.status >= 500:
            self._noted(f"{reply.status}", address, is_probe=is_probe)
            raise ProviderAway(reply.status, str(reply.get("errorCode") or ""))
        self._failures = 0
        if reply.status == 429 and not sent.keeps_busy:
            raise ProviderBusy(_pause_s(reply))
        return reply

    async def _answer(self, method: str, address: str, sent: Sent) -> Reply:
        """Raises Unreadable."""
        headers = {"Accept": "application/json"}
        body: Any = None if sent.form is None else dict(sent.form)
        if sent.json is not None:
            body, headers["Content-Type"] = orjson.dumps(sent.json), "application/json"
        options: dict[str, Any] = {"data": body, "headers": {**headers, **sent.headers}, "allow_redirects": False}
        async with self._client().request(method, address, **options) as response:
            data = await _read(response)
            return Reply(response.status, response.headers, _parsed(response.status, data))

    def _noted(self, why: str, address: str, *, is_probe: bool) -> None:
        if not is_probe:
            self._failed(f"{why} at {urlsplit(address).path}")

    def _client(self) -> ClientSession:
        if self._http is None:
            self._http = ClientSession(
                connector=TCPConnector(limit=MOST_CONNECTIONS),
                # What the provider remembers of one visitor must never be sent along for the next.
                cookie_jar=DummyCookieJar(),
                timeout=ClientTimeout(total=self.deadline_s),
            )
        return self._http

    def _failed(self, why: str) -> None:
        self._failures += 1
        log.warning("the provider failed: %s", why)
        if self._failures >= FAILURES:
            self._failures = 0
            self.breaker.trip(why)

    async def close(self) -> None:
        await self.breaker.close()
        if self._http is not None:
            await self._http.close()


class Unreadable(ValueError):
    """An answer that is not in JSON, or too long."""

    def __init__(self, status: int):
        super().__init__(f"an answer {status} cannot be read")
        self.status = status


def _parsed(status: int, data: bytes) -> Any:
    """Empty bodies and redirects say what they have to say by their status."""
    if not data.strip() or 300 <= status < 400:
        return None
    try:
        return orjson.loads(data)
    except ValueError:
        raise Unreadable(status) from None


async def _read(response: ClientResponse) -> bytes:
    found = bytearray()
    async for chunk in response.content.iter_chunked(2**16):
        found += chunk
        if len(found) > LARGEST_ANSWER:
            raise Unreadable(response.status)
    return bytes(found)


def _pause_s(reply: Reply) -> int:
    text = reply.headers.get("Retry-After", "")
    return min(max(int(text), 1), LONGEST_BUSY_S) if text.isascii() and text.isdigit() else BUSY_S

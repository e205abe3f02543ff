"""HTTP client for the provider: one deadline per call, replies of limited size, no redirects, no cookies."""

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

from host.identity.errors import ProviderRateLimited, ProviderUnavailable
from host.resilience.circuit_breaker import CircuitBreaker

log = logging.getLogger("coursefront.identity")

MAX_RESPONSE_SIZE = 2**20
MAX_CONNECTIONS = 40
# The circuit breaker opens after this many failures in a row.
MAX_FAILURES = 5
# The wait after a 429 without Retry-After, and the longest wait accepted from the header.
RETRY_AFTER_S = 60
MAX_RETRY_AFTER_S = 3600


@dataclass(frozen=True)
class ProviderRequest:
    """The body of a request as JSON or as a form, and headers beside the usual ones."""

    json: Any = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    # Return a reply with status 429 instead of raising: its body matters to the caller.
    returns_429: bool = False


EMPTY_REQUEST = ProviderRequest()


@dataclass(frozen=True)
class ProviderReply:
    """`data` is the parsed JSON body, None for an empty one."""

    status: int
    headers: CIMultiDictProxy[str]
    data: Any

    @property
    def is_good(self) -> bool:
        return self.status < 300

    def get(self, name: str) -> Any:
        """A member of the body; None when it is missing or the body is not an object."""
        return self.data.get(name) if isinstance(self.data, dict) else None


def origin_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower()


class Transport:
    """Sends requests to the provider, through a circuit breaker."""

    def __init__(self, breaker: CircuitBreaker, deadline_s: float):
        self.deadline_s = deadline_s
        self.breaker = breaker
        self._failures = 0
        self._http: ClientSession | None = None

    @asynccontextmanager
    async def deadline(self) -> AsyncIterator[None]:
        """Limit all requests made inside to the deadline of one call. Raises ProviderUnavailable when it expires."""
        try:
            async with asyncio.timeout(self.deadline_s):
                yield
        except TimeoutError:
            self._count_failure("deadline exceeded")
            raise ProviderUnavailable from None

    async def request(
        self, method: str, address: str, sent: ProviderRequest = EMPTY_REQUEST, *, is_probe: bool = False
    ) -> ProviderReply:
        """Send a request and return the reply, if its status is below 500. `is_probe`: also while the circuit is open,
        and failures are not counted. Raises ProviderUnavailable, and ProviderRateLimited for 429."""
        if self.breaker.is_open and not is_probe:
            raise ProviderUnavailable
        try:
            reply = await self._send(method, address, sent)
        except (ClientError, OSError, TimeoutError, ValueError) as error:
            self._count_unless_probe(type(error).__name__, address, is_probe=is_probe)
            raise ProviderUnavailable(error.status if isinstance(error, Unreadable) else 0) from None
        if reply.status >= 500:
            self._count_unless_probe(f"{reply.status}", address, is_probe=is_probe)
            raise ProviderUnavailable(reply.status, str(reply.get("errorCode") or ""))
        self._failures = 0
        if reply.status == 429 and not sent.returns_429:
            raise ProviderRateLimited(_retry_after_s(reply))
        return reply

    async def _send(self, method: str, address: str, sent: ProviderRequest) -> ProviderReply:
        """Raises Unreadable."""
        headers = {"Accept": "application/json"}
        body: Any = None if sent.form is None else dict(sent.form)
        if sent.json is not None:
            body, headers["Content-Type"] = orjson.dumps(sent.json), "application/json"
        options: dict[str, Any] = {"data": body, "headers": {**headers, **sent.headers}, "allow_redirects": False}
        async with self._client().request(method, address, **options) as response:
            data = await _read(response)
            return ProviderReply(response.status, response.headers, _parse(response.status, data))

    def _count_unless_probe(self, reason: str, address: str, *, is_probe: bool) -> None:
        if not is_probe:
            self._count_failure(f"{reason} at {urlsplit(address).path}")

    def _client(self) -> ClientSession:
        if self._http is None:
            self._http = ClientSession(
                connector=TCPConnector(limit=MAX_CONNECTIONS),
                # The client serves all visitors: a cookie set for one of them must not be sent for another.
                cookie_jar=DummyCookieJar(),
                timeout=ClientTimeout(total=self.deadline_s),
            )
        return self._http

    def _count_failure(self, reason: str) -> None:
        self._failures += 1
        log.warning("the provider failed: %s", reason)
        if self._failures >= MAX_FAILURES:
            self._failures = 0
            self.breaker.trip(reason)

    async def close(self) -> None:
        await self.breaker.close()
        if self._http is not None:
            await self._http.close()


class Unreadable(ValueError):
    """A reply that is not JSON, or too long."""

    def __init__(self, status: int):
        super().__init__(f"a reply with status {status} cannot be read")
        self.status = status


def _parse(status: int, data: bytes) -> Any:
    """The JSON of a body; None for empty bodies and redirects, where only the status matters. Raises Unreadable."""
    if not data.strip() or 300 <= status < 400:
        return None
    try:
        return orjson.loads(data)
    except ValueError:
        raise Unreadable(status) from None


async def _read(response: ClientResponse) -> bytes:
    data = bytearray()
    async for chunk in response.content.iter_chunked(2**16):
        data += chunk
        if len(data) > MAX_RESPONSE_SIZE:
            raise Unreadable(response.status)
    return bytes(data)


def _retry_after_s(reply: ProviderReply) -> int:
    text = reply.headers.get("Retry-After", "")
    return min(max(int(text), 1), MAX_RETRY_AFTER_S) if text.isascii() and text.isdigit() else RETRY_AFTER_S

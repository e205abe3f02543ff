"""The load generator of all measurements: raw keep-alive sockets in a process whose CPU time is not counted.

`python -m bench.client '{"port": 8080, "path": "/shop", "requests": 1000}'` prints its result as JSON.
`body` makes it a POST, or what `method` says; each `{uuid}` in it becomes a fresh id, `{turn}` 1 and 2 in turn, and
`{new}` in nine of ten requests a text that no request had before.
"""

import asyncio
import hmac
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import cast
from uuid import uuid4

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
CHUNKED_END = b"\r\n0\r\n\r\n"


@dataclass(frozen=True)
class Load:
    """The requests to send. Responses with another status than `status` or a short body count as wrong."""

    port: int
    # Or several, separated by spaces, which are requested in turn.
    path: str
    requests: int
    concurrency: int = 8
    body: str = ""
    status: int = 200
    # With which the body is signed, as the payment gateway does.
    secret: str = ""
    # Empty without a session.
    cookie: str = ""
    bearer: str = ""
    method: str = "POST"
    # Without compression, which would cost the same on both sides of an uncached page and hide the difference.
    encoding: str = "identity"
    # `{new}` in it as in a body.
    agent: str = AGENT
    # The body of one request in a hundred, instead of `body`.
    rare_body: str = ""


@dataclass(frozen=True)
class LoadResult:
    """Result of a load. Times in ms; `bytes` is the longest response on the wire, `wrong` counts wrong responses."""

    seconds: float
    first_byte_p50: float
    first_byte_p95: float
    first_byte_p99: float
    bytes: int
    wrong: int


def run_load(load: Load) -> LoadResult:
    """Runs the load in another process. Raises RuntimeError when a response was wrong."""
    command = [sys.executable, "-m", "bench.client", json.dumps(asdict(load))]
    process = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    result = LoadResult(**json.loads(process.stdout))
    if result.wrong:
        raise RuntimeError(f"{result.wrong} of {load.requests} responses of {load.path:.80} were wrong")
    return result


def request_bytes(load: Load, number: int = 0) -> bytes:
    session = (f"Cookie: {load.cookie}",) if load.cookie else ()
    if load.bearer:
        session = (*session, f"Authorization: Bearer {load.bearer}")
    fresh = uuid4().hex if number % 10 else "0"
    agent = load.agent.replace("{new}", fresh)
    headers = ("Host: localhost", f"User-Agent: {agent}", f"Accept-Encoding: {load.encoding}")
    if not load.body:
        paths = load.path.split()
        return "\r\n".join((f"GET {paths[number % len(paths)]} HTTP/1.1", *headers, *session, "", "")).encode()
    body = load.rare_body if load.rare_body and number % 100 == 0 else load.body
    body = body.replace("{uuid}", str(uuid4())).replace("{turn}", str(number % 2 + 1)).replace("{new}", fresh)
    about = (*session, "Content-Type: application/json", f"Content-Length: {len(body)}", "Sec-Fetch-Site: same-origin")
    origin = f"Origin: http://localhost:{load.port}"
    if load.secret:
        at = int(time.time())
        digest = hmac.new(load.secret.encode(), f"{at}.{body}".encode(), "sha256").hexdigest()
        about = (*about, f"Stripe-Signature: t={at},v1={digest}")
    return "\r\n".join((f"{load.method} {load.path} HTTP/1.1", *headers, origin, *about, "", body)).encode()


class Visitor(asyncio.Protocol):
    """One connection: sends the next request as soon as the last response is complete."""

    def __init__(self, load: Load, requests: list[bytes], responses: list[tuple[float, int, bool]]):
        self._load, self._waiting, self._seen = load, requests, responses
        self._expected = f"HTTP/1.1 {load.status} ".encode()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._next()

    def _next(self) -> None:
        self._answer, self._first = bytearray(), 0.0
        if not self._waiting:
            self._transport.close()
            return
        self._began = time.perf_counter()
        self._transport.write(self._waiting.pop())

    def data_received(self, data: bytes) -> None:
        if not self._answer:
            self._first = time.perf_counter() - self._began
            self._length = -1
        self._answer += data
        if self._length < 0:
            self._length = self._whole_length()
        if len(self._answer) >= self._length > 0 or (self._length == 0 and self._answer.endswith(CHUNKED_END)):
            self._seen.append((self._first * 1000, len(self._answer), self._answer.startswith(self._expected)))
            self._next()

    def _whole_length(self) -> int:
        """Length of the whole response in bytes, 0 for a chunked one, -1 while its head is incomplete."""
        head, end, _ = self._answer.partition(b"\r\n\r\n")
        if not end:
            return -1
        _, named, rest = head.lower().partition(b"content-length:")
        return len(head) + 4 + int(rest.split(b"\r\n")[0]) if named else 0

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def _run(load: Load) -> LoadResult:
    loop = asyncio.get_running_loop()
    requests = [request_bytes(load, number) for number in range(load.requests)]
    responses: list[tuple[float, int, bool]] = []
    began = time.perf_counter()
    connections = [
        await loop.create_connection(lambda: Visitor(load, requests, responses), "127.0.0.1", load.port)
        for _ in range(min(load.concurrency, load.requests))
    ]
    await asyncio.gather(*(visitor.done for _, visitor in connections))
    seconds = time.perf_counter() - began
    first_bytes = [response[0] for response in responses]
    longest = max(response[1] for response in responses)
    complete = sum(is_expected and size > 0.8 * longest for _, size, is_expected in responses)
    hundredths = quantiles(first_bytes, n=100)
    return LoadResult(seconds, median(first_bytes), hundredths[94], hundredths[98], longest, load.requests - complete)


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(_run(Load(**json.loads(sys.argv[1])))))))

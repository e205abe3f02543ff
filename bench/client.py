"""The visitor of every measurement: raw sockets with keep-alive, in a process of its own, whose CPU is not counted.

`python -m bench.client '{"port": 8080, "path": "/shop", "requests": 1000}'` prints what it saw as JSON.
`body` makes it a POST; each `{uuid}` in it becomes a fresh id.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from uuid import uuid4

# Both sides send the page as it is: compression is the same work everywhere and would hide the difference.
HEADERS = (
    "Host: localhost",
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Accept-Encoding: identity",
)
CHUNKED_END = b"\r\n0\r\n\r\n"


@dataclass(frozen=True)
class Load:
    """What to ask for. `status` is the answer expected; others are counted as wrong, and so is a short body."""

    port: int
    path: str
    requests: int
    concurrency: int = 8
    body: str = ""
    status: int = 200


@dataclass(frozen=True)
class Seen:
    """What came back. Times in ms; `bytes` is the longest answer on the wire, `wrong` counts bad or short ones."""

    seconds: float
    first_byte_p50: float
    first_byte_p99: float
    bytes: int
    wrong: int


def visit(load: Load) -> Seen:
    """Run the load in another process and wait for it. Raises RuntimeError when an answer was not as expected."""
    command = [sys.executable, "-m", "bench.client", json.dumps(asdict(load))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    seen = Seen(**json.loads(done.stdout))
    if seen.wrong:
        raise RuntimeError(f"{seen.wrong} of {load.requests} answers of {load.path} were wrong")
    return seen


def request_of(load: Load) -> bytes:
    if not load.body:
        return "\r\n".join((f"GET {load.path} HTTP/1.1", *HEADERS, "", "")).encode()
    body = load.body.replace("{uuid}", str(uuid4()))
    about = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Sec-Fetch-Site: same-origin")
    origin = f"Origin: http://localhost:{load.port}"
    return "\r\n".join((f"POST {load.path} HTTP/1.1", *HEADERS, origin, *about, "", body)).encode()


class Visitor(asyncio.Protocol):
    """One connection: sends the next request as soon as the answer to the last is complete."""

    def __init__(self, load: Load, waiting: list[bytes], seen: list[tuple[float, int, bool]]):
        self._load, self._waiting, self._seen = load, waiting, seen
        self._expected = f"HTTP/1.1 {load.status} ".encode()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
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
        """Bytes of the whole answer, 0 for a chunked one, -1 while its head is not complete."""
        head, end, _ = self._answer.partition(b"\r\n\r\n")
        if not end:
            return -1
        _, named, rest = head.lower().partition(b"content-length:")
        return len(head) + 4 + int(rest.split(b"\r\n")[0]) if named else 0

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def _run(load: Load) -> Seen:
    loop = asyncio.get_running_loop()
    waiting = [request_of(load) for _ in range(load.requests)]
    seen: list[tuple[float, int, bool]] = []
    began = time.perf_counter()
    made = [
        await loop.create_connection(lambda: Visitor(load, waiting, seen), "127.0.0.1", load.port)
        for _ in range(min(load.concurrency, load.requests))
    ]
    await asyncio.gather(*(visitor.done for _, visitor in made))
    seconds = time.perf_counter() - began
    first = [one[0] for one in seen]
    longest = max(one[1] for one in seen)
    good = sum(is_expected and size > 0.8 * longest for _, size, is_expected in seen)
    return Seen(seconds, median(first), quantiles(first, n=100)[98], longest, load.requests - good)


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(_run(Load(**json.loads(sys.argv[1])))))))

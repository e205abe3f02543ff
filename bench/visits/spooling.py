"""V5: visits while Redis is unavailable and many batches wait on disk, and how fast these are sent once it is back.

`python -m bench.visits.spooling PORT SECONDS` sends the visits, in a process of its own.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from typing import cast
from uuid import uuid4

from bench.client import Visitor, request_bytes
from bench.comparison import ResultLine
from bench.processes import run_process, site, wait_until
from bench.visits import accepting, storing
from config.settings import Settings
from host.supervisor import programs

BATCHES = 20_000
# As many as 50 ms bring at this rate.
RATE, ROWS = 1_000, 50
SECONDS = 20
CONNECTIONS = 300
DRAIN_S = 240.0
# Listing 20,000 files takes a processor longer than sending the visits of a hundred.
LOOK_EVERY_S = 0.5


def v5() -> list[ResultLine]:
    """The worker is none of it: batches are sent when Redis has them."""
    binary = programs.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        folder = Path(name)
        spool, url = folder / "spool", f"unix://{folder}/redis.sock"
        _fill(spool)
        limits = {"LIMITS": "off", "REDIS_URL": url}
        with site("host", folder, **limits) as running:
            command = [sys.executable, "-m", "bench.visits.spooling", str(running.port), str(SECONDS)]
            seen = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS + 120)
            p99, accepted = (float(word) for word in seen.stdout.split())
            waiting = _waiting(spool)
            settings = Settings.from_environment({"VAR_DIR": name})
            with run_process(list(programs.redis(settings, binary, folder).command)):
                began = time.perf_counter()
                wait_until(lambda: _waiting(spool) == 0, "an empty spool", DRAIN_S, LOOK_EVERY_S)
                seconds = time.perf_counter() - began
    visits = BATCHES * ROWS + accepted
    rate = visits / seconds
    texts = f"{p99:.0f} ms", f"{rate:,.0f}/s ({waiting:,} batches in {seconds:.0f} s)"
    what = f"answer to a visit without Redis, {RATE:,} a second, {BATCHES:,} batches on disk, p99"
    drained = f"visits sent from the disk afterwards, {ROWS} a batch"
    return [
        ResultLine("V5", what, "<= 120 ms", texts[0], "", None, p99 <= 120),
        ResultLine("V5", drained, ">= 20,000/s", texts[1], "", None, rate >= 20_000),
    ]


def _fill(spool: Path) -> None:
    """Batches of an earlier process."""
    spool.mkdir()
    for payload in storing.payloads_of(ROWS, ROWS) * BATCHES:
        (spool / f"{uuid4().hex}.json").write_bytes(payload)


def _waiting(spool: Path) -> int:
    return sum(1 for _ in spool.glob("*.json"))


async def _send(port: int, seconds: int) -> tuple[float, int]:
    """The 99th percentile in ms, of times since the moment at which each visit should have been sent; and how many were
    accepted. Raises RuntimeError when one was not."""
    load = replace(accepting.VISIT, port=port)
    loop, count = asyncio.get_running_loop(), RATE * seconds
    waits: list[float] = []
    first = loop.time() + 2.0

    async def visit_in_turn(number: int) -> None:
        """One connection, each request at its time."""
        responses: list[tuple[float, int, bool]] = []
        requests: list[bytes] = []
        _, visitor = await loop.create_connection(lambda: Patient(load, requests, responses), "127.0.0.1", port)
        for turn in range(number, count, CONNECTIONS):
            due = first + turn / RATE
            await asyncio.sleep(max(0.0, due - loop.time()))
            await visitor.send(request_bytes(load, turn))
            if not responses[-1][2]:
                raise RuntimeError("a visit was not accepted")
            waits.append((loop.time() - due) * 1000)

    await asyncio.gather(*(visit_in_turn(number) for number in range(CONNECTIONS)))
    return quantiles(waits, n=100)[98], len(waits)


class Patient(Visitor):
    """One connection that sends what it is told to, when it is told to."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._answered: asyncio.Future[None] | None = None

    async def send(self, request: bytes) -> None:
        """Returns when the response is complete."""
        self._waiting.append(request)
        super()._next()
        self._answered = asyncio.get_running_loop().create_future()
        await self._answered

    def _next(self) -> None:
        if self._answered is not None:
            self._answered.set_result(None)


if __name__ == "__main__":
    print(*asyncio.run(_send(int(sys.argv[1]), int(sys.argv[2]))))

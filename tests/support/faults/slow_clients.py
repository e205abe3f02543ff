"""Slow clients: incomplete heads and bodies, and readers of one byte a second. They must not delay others."""

import asyncio
import contextlib
import socket
import time
from dataclasses import dataclass, field

import aiohttp

from tests.support.faults.pages import flaw, quantiles
from tests.support.site import Site

HALF_HEAD = b"GET /shop HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/SetAAUserTraceLog HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 4000\r\n\r\n{"Url": "/'
)
WHOLE_REQUEST = b"GET /shop HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# A stalled request must be answered or closed within this.
CLOSED_WITHIN_S = 30.0


@dataclass
class Figures:
    """Response times of an ordinary client before and during the load, and how long stalled clients stayed open."""

    quiet_s: list[float] = field(default_factory=list)
    loaded_s: list[float] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)
    closed_s: list[float] = field(default_factory=list)
    still_open: int = 0

    def __str__(self) -> str:
        quiet, loaded = (
            "/".join(f"{value * 1000:.0f}" for value in quantiles(values)) for values in (self.quiet_s, self.loaded_s)
        )
        longest = max(self.closed_s, default=0.0)
        return (
            f"p50/p95/max {quiet} ms quiet, {loaded} ms loaded, {len(self.flaws)} flaws; "
            f"{len(self.closed_s)} stalled requests ended within {longest:.1f} s, {self.still_open} still open"
        )


async def run(site: Site, heads: int = 300, bodies: int = 200, readers: int = 50, seconds: float = 10.0) -> Figures:
    figures = Figures()
    await _visit(site, figures.quiet_s, figures.flaws, seconds / 2)
    stalled = [asyncio.create_task(_stall(site, HALF_HEAD, figures)) for _ in range(heads)]
    stalled += [asyncio.create_task(_stall(site, HALF_BODY, figures)) for _ in range(bodies)]
    slow = [asyncio.create_task(_read_slowly(site)) for _ in range(readers)]
    try:
        await _visit(site, figures.loaded_s, figures.flaws, seconds)
        await asyncio.wait(stalled, timeout=CLOSED_WITHIN_S + 5)
        figures.still_open = sum(not task.done() for task in stalled)
    finally:
        for task in (*stalled, *slow):
            task.cancel()
        await asyncio.gather(*stalled, *slow, return_exceptions=True)
    return figures


async def _visit(site: Site, times: list[float], flaws: list[str], seconds: float) -> None:
    """An ordinary client, up to 20 pages a second."""
    until = time.monotonic() + seconds
    async with aiohttp.ClientSession(site.url) as http:
        while (began := time.monotonic()) < until:
            async with http.get("/shop?page=2") as answer:
                wrong = flaw(answer.status, await answer.text())
            times.append(time.monotonic() - began)
            flaws += [wrong] if wrong else []
            await asyncio.sleep(0.05)


async def _stall(site: Site, start: bytes, figures: Figures) -> None:
    """Sends an incomplete request and waits until the site closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    try:
        writer.write(start)
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while await reader.read(4096):
                pass
        figures.closed_s.append(time.monotonic() - began)
    finally:
        writer.close()


async def _read_slowly(site: Site) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.setblocking(False)
        await loop.sock_connect(connection, ("127.0.0.1", site.port))
        await loop.sock_sendall(connection, WHOLE_REQUEST)
        while await loop.sock_recv(connection, 1):
            await asyncio.sleep(1)

"""A render worker inside the test: it speaks the protocol of docs/contracts.md, and does what the test says."""

import asyncio
import contextlib
import json
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.support.waiting import DEADLINE_S

HEAD = struct.Struct(">IcI")
STATUS = {"jobs": 0, "rss": 1, "build": "test", "rendered": 0, "failed": 0, "renderMs": 0, "busyMs": 0, "lagMs": 0}


def frame(kind: str, job: int, payload: bytes = b"") -> bytes:
    return HEAD.pack(len(payload) + 5, kind.encode(), job) + payload


class Drawing:
    """One job as the worker sees it."""

    def __init__(self, number: int, asked: dict[str, Any], line: asyncio.StreamWriter):
        self.number, self.asked, self.line = number, asked, line
        self._steering: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    def send(self, kind: str, payload: bytes = b"") -> None:
        self.line.write(frame(kind, self.number, payload))

    def markup(self, html: str) -> None:
        self.send("C", html.encode())

    def end(self) -> None:
        self.send("E", b'{"ms":1}')

    def steer(self, kind: str, payload: bytes) -> None:
        self._steering.put_nowait((kind, payload))

    async def steering(self) -> tuple[str, Any]:
        """The next frame the host sends for this job: its type and its JSON."""
        kind, payload = await asyncio.wait_for(self._steering.get(), DEADLINE_S)
        return kind, json.loads(payload) if payload else None


Behaviour = Callable[[Drawing], Awaitable[None]]


async def draw(job: Drawing) -> None:
    """As the real one: the shell, then each deferred part when its data comes."""
    job.markup(f"<main>drawn {job.asked['page']}</main>")
    for _ in job.asked["deferred"]:
        kind, part = await job.steering()
        if kind != "D":
            break
        job.markup(f"<p>{part['key']}</p>")
    job.end()


class Renderer:
    """One worker on one socket. `jobs` are those it was given; with `answers_pings` off it seems frozen."""

    def __init__(self, path: Path, behaviour: Behaviour = draw):
        self.path, self.behaviour = path, behaviour
        self.jobs: list[Drawing] = []
        self.connections = 0
        self.answers_pings = True
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: list[asyncio.Future[None]] = []
        self._served: list[asyncio.Task[Any]] = []

    @property
    def address(self) -> str:
        return f"unix:{self.path}"

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    async def stop(self) -> None:
        """As a killed process: every line breaks at once."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        self.hang_up()
        await asyncio.gather(*self._tasks, *self._served, return_exceptions=True)

    def hang_up(self) -> None:
        for line in list(self._lines):
            line.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._lines.add(line)
        served = asyncio.current_task()
        assert served is not None
        self._served.append(served)
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._listen(reader, line)
        finally:
            self._lines.discard(line)
            line.close()

    async def _listen(self, reader: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        drawings: dict[int, Drawing] = {}
        while True:
            length, kind, number = HEAD.unpack(await reader.readexactly(HEAD.size))
            payload = await reader.readexactly(length - 5)
            match kind:
                case b"P" if self.answers_pings:
                    line.write(frame("O", 0, json.dumps(STATUS).encode()))
                case b"J":
                    job = drawings[number] = Drawing(number, json.loads(payload), line)
                    self.jobs.append(job)
                    self._tasks.append(asyncio.ensure_future(self.behaviour(job)))
                case b"D" | b"A" | b"X":
                    drawings[number].steer(kind.decode(), payload)

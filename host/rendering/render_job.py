"""One render as the host sees it: markup chunk by chunk, deferred parts, the end (docs/contracts.md, "render")."""

import asyncio
import struct
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

import orjson

FRAME = struct.Struct(">IcI")


class RenderFailed(Exception):
    """A worker gave no markup; the browser renders the page instead."""


class RenderTimedOut(RenderFailed):
    """No markup came in time. The worker may still be rendering: no other one gets the job."""


class RenderShed(RenderFailed):
    """No worker had a free slot in time: the page was sent to none."""


def frame(kind: bytes, job: int, payload: bytes = b"") -> bytes:
    return FRAME.pack(len(payload) + 5, kind, job) + payload


class Worker(Protocol):
    """The SSR worker that has a job."""

    def send(self, data: bytes) -> None: ...

    def cancel(self, job: "Job") -> None: ...


@dataclass(eq=False)
class Job:
    """One running render; `next` gives its markup chunk by chunk."""

    number: int
    worker: Worker
    deadline: float
    chunks: deque[bytes] = field(default_factory=deque)
    has_markup: bool = False
    ended: bool = False
    failure: str | None = None
    _waiter: asyncio.Future[None] | None = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def put(self, chunk: bytes) -> None:
        self.chunks.append(chunk)
        self._wake()

    def end(self, failure: str | None = None) -> None:
        self.ended, self.failure = True, self.failure or failure
        self._wake()

    @property
    def is_done(self) -> bool:
        """Whether the worker has sent everything and `next` has given it."""
        return self.ended and not self.chunks and self.failure is None

    async def next(self, timeout_s: float) -> bytes | None:
        """The next piece of markup, b"" when none came within `timeout_s`, None at the end.

        Raises RenderFailed when the worker failed or disconnected.
        """
        if not self.chunks and not self.ended:
            self._waiter = asyncio.get_running_loop().create_future()
            timer = asyncio.get_running_loop().call_later(timeout_s, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
        if self.chunks:
            markup = b"".join(self.chunks)
            self.chunks.clear()
            return markup
        if not self.ended:
            return b""
        if self.failure is not None:
            raise RenderFailed(self.failure)
        return None

    def poke(self) -> None:
        """Make a waiting `next` return b"": a deferred part has arrived."""
        self._wake()

    def deliver(self, key: str, value: bytes) -> None:
        """Send a deferred part, as JSON, to the worker."""
        self.worker.send(frame(b"D", self.number, b'{"key":' + orjson.dumps(key) + b',"value":' + value + b"}"))

    def finish(self) -> None:
        self.worker.send(frame(b"A", self.number))

    def cancel(self) -> None:
        """Stop the render; safe at any time, also after the end."""
        self.worker.cancel(self)

"""Loops that run as long as their process: an unexpected error is logged and shown in /readyz, and the loop goes on."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson

if TYPE_CHECKING:
    # The supervisor, which serves nothing, has loops too.
    from aiohttp import web

log = logging.getLogger("coursefront.loops")

# Before the next iteration, after the first, second, … failure in a row.
PAUSES_S = (0.1, 0.5, 1.0, 2.0, 5.0)
STATUS_FILE = "loops.json"


class BackgroundLoop:
    """Runs `iterate` again and again until `stop`.

    `iterate` waits by itself until there is something to do, and handles the errors that it expects; any other one is
    logged when it is the first in a row. One that runs for long calls `mark_running` when it is sure to work.
    `on_change` is called when the status changes.
    """

    def __init__(
        self, name: str, iterate: Callable[[], Awaitable[object]], on_change: Callable[[], None] = lambda: None
    ):
        self.name, self._iterate, self._on_change = name, iterate, on_change
        self.restarts = self._failures = 0
        self._failing_since: datetime | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name=self.name)
        self._on_change()

    async def stop(self) -> None:
        """Cancel the present iteration and wait until it has ended."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def mark_running(self) -> None:
        if self._failing_since is not None:
            log.warning("the loop %r runs again after %d failures", self.name, self._failures)
            self._failing_since, self._failures = None, 0
            self._on_change()

    @property
    def state(self) -> str:
        """ "running", "failing", or "stopped": not started yet, or ended."""
        if self._task is None or self._task.done():
            return "stopped"
        return "running" if self._failing_since is None else "failing"

    def status(self) -> dict[str, Any]:
        """For /readyz: state and restarts, and since when it fails if it does."""
        since = {} if self._failing_since is None else {"since": self._failing_since.isoformat(timespec="seconds")}
        return {"state": self.state, **since, "restarts": self.restarts}

    async def _run(self) -> None:
        while True:
            try:
                await self._iterate()
            except asyncio.CancelledError as error:
                # Unless this task is cancelled, something that the iteration awaited was.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                await self._pause_after(error)
            except Exception as error:
                await self._pause_after(error)
            else:
                self.mark_running()

    async def _pause_after(self, error: BaseException) -> None:
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self.restarts += 1
        self._failures += 1
        if self._failing_since is None:
            self._failing_since = datetime.now(UTC)
            log.error("the loop %r failed and goes on in %g s", self.name, pause_s, exc_info=error)
        self._on_change()
        await asyncio.sleep(pause_s)


class LoopingPart(Protocol):
    """A part of a process that works in a loop of its own, from the start of the application to its end."""

    loop: BackgroundLoop

    def lifespan(self, app: "web.Application") -> AsyncIterator[None]: ...


def statuses(loops: Iterable[BackgroundLoop]) -> dict[str, dict[str, Any]]:
    return {loop.name: loop.status() for loop in loops}


def write_statuses(folder: Path, pid: int, loops: Iterable[BackgroundLoop]) -> None:
    """Store the status of the loops of process `pid`, which its hosts read by `read_statuses`. Raises OSError."""
    path = folder / STATUS_FILE
    unfinished = path.with_suffix(".new")
    unfinished.write_bytes(orjson.dumps({"pid": pid, "loops": statuses(loops)}))
    unfinished.replace(path)


def read_statuses(folder: Path, pid: int) -> dict[str, dict[str, Any]]:
    """What process `pid` stored last; nothing if it stored nothing. Reads a file: call it in a thread."""
    try:
        stored = orjson.loads((folder / STATUS_FILE).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return dict(stored["loops"]) if stored["pid"] == pid else {}

"""One program of those that run beside the site: started, started again when it ends, stopped with its group."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Mapping
from functools import partial

from host.embedded import Program

RESTART_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
# A child that lived this long starts over with the shortest pause: the growing ones are for what cannot start at all.
STEADY_S = 1.5
_PR_SET_PDEATHSIG = 1


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 the supervisor speaks to the terminal


class Child:
    """One program, started again with growing pauses whenever it ends."""

    def __init__(self, program: Program, environment: Mapping[str, str], handed: Mapping[str, int]):
        """`handed`: file descriptors that the program gets, by the variable that tells it."""
        numbers = {name: str(number) for name, number in handed.items()}
        self.program, self._environment = program, {**environment, **program.environment, **numbers}
        self._handed = tuple(handed.values())
        self.process: asyncio.subprocess.Process | None = None
        self.is_stopping = False
        self.started = asyncio.Event()

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self.program.command,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=self._handed,
            # Ctrl-C reaches the supervisor alone: it stops the others in their order.
            start_new_session=True,
            preexec_fn=partial(_die_with_parent, self.program.kind),
        )
        self.started.set()

    async def keep_alive(self, on_change: "asyncio.Event") -> None:
        tries = 0
        while not self.is_stopping:
            began = time.monotonic()
            if self.process is None or self.process.returncode is not None:
                await self.start()
            on_change.set()
            assert self.process is not None  # noqa: S101 started above
            code = await self.process.wait()
            self._end_group()
            if self.is_stopping:
                return
            tries = 0 if time.monotonic() - began > STEADY_S else tries + 1
            pause = RESTART_S[min(tries, len(RESTART_S)) - 1] if tries else RESTART_S[0]
            say(f"{self.program.name} ended ({code}); it starts again in {pause:g} s")
            await asyncio.sleep(pause)

    def _end_group(self) -> None:
        """What the program itself had started goes with it: a beat whose worker was killed would live on."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def stop(self) -> None:
        """TERM, then KILL when its time is up."""
        self.is_stopping = True
        process = self.process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            # A frozen process must be awake to be told.
            process.send_signal(signal.SIGCONT)
        try:
            await asyncio.wait_for(process.wait(), self.program.stop_s)
        except TimeoutError:
            self.kill()
            await process.wait()
        self._end_group()


def _die_with_parent(kind: str) -> None:
    """No orphans when the supervisor itself is killed (Linux; elsewhere the next start cleans up).

    Host and worker hand on what they have; Node and Redis have nothing to say, and may be too busy or frozen to hear.
    """
    if sys.platform == "linux":
        number = signal.SIGTERM if kind in ("host", "worker") else signal.SIGKILL
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number)

"""One child process of the supervisor: started, restarted when it ends, stopped with its process group."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial

from host.resilience.background_loop import BackgroundLoop
from host.supervisor.fork_server import set_death_signal
from host.supervisor.forks import ForkServer, RunningProgram
from host.supervisor.programs import Program

RESTART_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
# After running this long a child restarts with the shortest pause; longer pauses are for programs that cannot start.
STEADY_S = 1.5


def print_line(text: str) -> None:
    print(text, flush=True)  # noqa: T201 the supervisor's messages are for the terminal


class Child:
    """A program that is restarted, with growing pauses, whenever it ends."""

    def __init__(
        self,
        program: Program,
        environment: Mapping[str, str],
        descriptors: Mapping[str, int],
        fork_server: ForkServer,
        on_change: Callable[[], None] = lambda: None,
    ):
        """`descriptors`: file descriptors to pass, by the environment variable that names each to the program.

        `on_change` is called after each start, and when `loop` fails or runs again.
        """
        self.program, self._environment = program, {**environment, **program.environment}
        self._descriptors, self._fork_server = descriptors, fork_server
        self.process: RunningProgram | None = None
        self.loop = BackgroundLoop(f"supervision of {program.name}", self._run_once, on_change)
        self._on_change, self._quick_ends = on_change, 0
        self.started = asyncio.Event()
        # By time.monotonic(), of the last start.
        self.started_at = 0.0

    async def start(self) -> None:
        self.process = await start(self.program, self._environment, self._descriptors, self._fork_server)
        self.started_at = time.monotonic()
        self.started.set()

    async def _run_once(self) -> None:
        """Start the program, wait until it ends, then pause: longer each time that it ends soon after its start."""
        if self.process is None or self.process.returncode is not None:
            await self.start()
        assert self.process is not None  # noqa: S101 started above
        self.loop.mark_running()
        self._on_change()
        code = await self.process.wait()
        self._end_group()
        self._quick_ends = 0 if time.monotonic() - self.started_at > STEADY_S else self._quick_ends + 1
        pause = RESTART_S[min(self._quick_ends, len(RESTART_S)) - 1] if self._quick_ends else RESTART_S[0]
        log = f" ({self.program.log} says why)" if self.program.log else ""
        print_line(f"{self.program.name} exited with status {code}{log}; restarting in {pause:g} s")
        await asyncio.sleep(pause)

    def _end_group(self) -> None:
        """Kill the program's own children too: the beat of a killed worker would go on."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGKILL)

    async def stop(self) -> None:
        """Send TERM, and KILL after the program's `stop_s`. It is not started again."""
        await self.loop.stop()
        process = self.process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
            # A process suspended by SIGSTOP handles TERM only after it continues.
            process.send_signal(signal.SIGCONT)
        try:
            await asyncio.wait_for(process.wait(), self.program.stop_s)
        except TimeoutError:
            self.kill()
            await process.wait()
        self._end_group()


async def start(
    program: Program, environment: Mapping[str, str], descriptors: Mapping[str, int], fork_server: ForkServer
) -> RunningProgram:
    """Start a program in a session of its own: Ctrl-C must reach only the supervisor, which stops it in order. It ends
    when the supervisor is killed: host and worker get TERM, because they have work to finish. The others have none and
    get KILL, which also ends a busy or suspended process."""
    death_signal = signal.SIGTERM if program.kind in ("host", "worker") else signal.SIGKILL
    if program.imports and sys.platform == "linux":
        return await fork_server.start(program, environment, descriptors, death_signal)
    return await asyncio.create_subprocess_exec(
        *program.command,
        env={**environment, **{name: str(number) for name, number in descriptors.items()}},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL if program.is_quiet else None,
        pass_fds=tuple(descriptors.values()),
        start_new_session=True,
        preexec_fn=partial(set_death_signal, death_signal),
    )

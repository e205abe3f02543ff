"""The supervisor's side of the fork server: programs that it starts, as `asyncio.subprocess` has them."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Protocol

from host.supervisor.fork_server import PACKET_BYTES, Request, set_death_signal
from host.supervisor.programs import Program

# For the imports of a program and its fork. A server that takes longer hangs: it is killed, and the next start has a
# new one.
START_WITHIN_S = 60.0


class RunningProgram(Protocol):
    """What the supervisor needs of a process: `asyncio.subprocess.Process` has it, and `Fork`."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    async def wait(self) -> int: ...
    def send_signal(self, signal: int, /) -> None: ...


class Fork:
    """A program that the fork server has started. Its status is SIGTERM's when the server ended before it."""

    def __init__(self, pid: int):
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.Event()

    async def wait(self) -> int:
        await self._ended.wait()
        assert self.returncode is not None  # noqa: S101 set with the event
        return self.returncode

    def send_signal(self, number: int, /) -> None:
        """Raises ProcessLookupError when it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError(self.pid)
        os.kill(self.pid, number)

    def end(self, status: int) -> None:
        self.returncode = status
        self._ended.set()


class ForkServer:
    """Starts the server with the first program, and again after it has ended."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._connection: socket.socket | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: deque[asyncio.Future[Fork]] = deque()
        self._running: dict[int, Fork] = {}

    async def start(
        self, program: Program, environment: Mapping[str, str], descriptors: Mapping[str, int], death_signal: int
    ) -> Fork:
        """`environment`: all of it. Raises OSError or TimeoutError when the server starts nothing."""
        _python, _option, module, *arguments = program.command
        request = Request(
            *(program.name, module, arguments, list(program.imports), dict(environment), list(descriptors)),
            death_signal=death_signal,
            is_quiet=program.is_quiet,
        )
        connection = self._connection or await self._begin()
        started: asyncio.Future[Fork] = asyncio.get_running_loop().create_future()
        self._waiting.append(started)
        socket.send_fds(connection, [request.packet()], list(descriptors.values()))
        try:
            return await asyncio.wait_for(started, START_WITHIN_S)
        except TimeoutError:
            self._kill()
            raise

    async def stop(self) -> None:
        """End the server, which has no program any more."""
        self._kill()
        if self._reader is not None:
            await self._reader

    async def _begin(self) -> socket.socket:
        own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own.setblocking(False)
        self._connection = own
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "host.supervisor.fork_server", str(other.fileno())),
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,
                preexec_fn=partial(set_death_signal, signal.SIGTERM),
            )
        except BaseException:
            self._connection = None
            own.close()
            raise
        finally:
            other.close()
        self._reader = asyncio.create_task(self._read(own, self._process))
        return own

    async def _read(self, connection: socket.socket, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while packet := await loop.sock_recv(connection, PACKET_BYTES):
                self._take(json.loads(packet))
        connection.close()
        self._connection = None
        for started in self._waiting:
            if not started.done():
                started.set_exception(ConnectionResetError("the fork server has ended"))
        for fork in self._running.values():
            fork.end(-signal.SIGTERM)
        self._waiting.clear()
        self._running.clear()
        await process.wait()

    def _take(self, message: Mapping[str, int]) -> None:
        if "started" in message:
            fork = self._running[message["started"]] = Fork(message["started"])
            started = self._waiting.popleft()
            if not started.done():
                started.set_result(fork)
            else:
                # Whoever wanted it has been cancelled.
                fork.send_signal(signal.SIGKILL)
        else:
            self._running.pop(message["ended"]).end(message["status"])

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

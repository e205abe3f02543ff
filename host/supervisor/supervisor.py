"""Starts the programs of the site on one machine, restarts those that end, and stops all of them in order.

The supervisor holds the listening socket: while a host process restarts, connections wait and none is refused.
"""

import asyncio
import fcntl
import json
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO

from config.settings import Settings
from host.resilience.background_loop import STATUS_FILE, BackgroundLoop, write_statuses
from host.supervisor import programs
from host.supervisor.child_process import Child, print_line, start
from host.supervisor.development_hints import development_hints
from host.supervisor.forks import ForkServer
from host.supervisor.probes import RendererState, fetch, redis_responds, renderer_state
from host.supervisor.programs import Program

PROBE_EVERY_S = 1.0
# A render worker that is silent for SSR_FIRST_MS and this long hangs (decision 0024).
MAX_SILENCE_S = 2.5
# A render worker that does not listen after this time hangs too.
LISTEN_WITHIN_S = 30.0
REDIS_READY_S = 10.0
# Nobody waits for the worker for long work, and its start would slow the first pages down.
BACKGROUND_AFTER_S = 15.0
# After this time the site is announced as ready although no render worker has rendered a page.
FIRST_PAGE_S = 8.0


class StartupError(Exception):
    """One line with the reason and what to do."""


class Supervisor:
    """Runs the programs until TERM or INT."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.sockets = Path(tempfile.mkdtemp(prefix="cf-"))
        self.children: list[Child] = []
        self._fork_server = ForkServer()
        self._database: asyncio.Task[None] | None = None
        self._background: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._probes = BackgroundLoop("probes of render workers", self._probe_renderers, self._changed.set)
        self._loops = [BackgroundLoop("list of processes", self._write_status, self._changed.set), self._probes]
        self._stop = asyncio.Event()
        # Hosts read which loops run here (`host/health.py`).
        self._environment = {**os.environ, "SUPERVISOR_PID": str(os.getpid())}
        self._lock: IO[str] | None = None
        self._listener: socket.socket | None = None

    async def run(self) -> int:
        """The exit status, after all programs have stopped: 0, or 3 when they could not start."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        try:
            await self._start_or_stop()
            await self._stop.wait()
        except StartupError as error:
            print_line(f"Coursefront cannot start: {error}")
            return 3
        finally:
            await self._stop_all()
            shutil.rmtree(self.sockets, ignore_errors=True)
        return 0

    async def _start_or_stop(self) -> None:
        """Start all programs; a TERM meanwhile cancels the start."""
        starting, stopping = asyncio.create_task(self._start()), asyncio.create_task(self._stop.wait())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return
        starting.result()

    async def _start(self) -> None:
        settings = self.settings
        settings.var_dir.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(settings.var_dir)
        # An attribute keeps the socket open for hosts that are restarted.
        self._listener = _listen(settings)
        self._environment["VAR_DIR"] = str(settings.var_dir)
        self._loops[0].start()
        standins = programs.standins(settings)
        if standins is not None:
            self._set(programs.standins_addresses(settings))
        database = self._database = asyncio.create_task(self._prepare_database())
        self._start_renderers()
        broker = self._start_broker()
        # Hosts load their modules meanwhile, then read from this pipe until it is closed.
        read_end, write_end = os.pipe()
        descriptors = {"LISTEN_FD": self._listener.fileno(), "START_FD": read_end}
        hosts = [
            self._add(programs.web(settings, number), descriptors) for number in range(1, settings.host_workers + 1)
        ]
        redis = [] if broker is None else [_wait_for_redis(broker, programs.redis_log(settings))]
        await asyncio.gather(database, *redis)
        os.close(write_end)
        if standins is not None:
            self._add(standins)
        await asyncio.gather(*(child.started.wait() for child in hosts))
        # The worker starts later, so that it does not delay the first page.
        await self._first_page()
        if self._environment["REDIS_URL"] != "none":
            self._add(programs.worker(settings))
        await self._announce()
        self._probes.start()
        self._background = asyncio.create_task(self._start_background_worker())

    async def _start_background_worker(self) -> None:
        if self._environment["REDIS_URL"] != "none":
            await asyncio.sleep(BACKGROUND_AFTER_S)
            self._add(programs.background_worker())

    def _set(self, variables: Mapping[str, str]) -> None:
        """Variables of the programs; a file that the operator names for one of them is not read again."""
        self._environment.update(variables)
        for name in variables:
            self._environment.pop(f"{name}_FILE", None)

    def _add(self, program: Program, descriptors: Mapping[str, int] = MappingProxyType({})) -> Child:
        child = Child(program, self._environment, descriptors, self._fork_server, self._changed.set)
        self.children.append(child)
        child.loop.start()
        return child

    def _start_renderers(self) -> None:
        if self.settings.ssr_url:
            return
        node = shutil.which("node")
        if node is None:
            raise StartupError("Node is not installed; pages need Node 20.19 or newer (or set SSR_URL)")
        numbers = range(1, self.settings.ssr_workers + 1)
        for number in numbers:
            self._add(programs.ssr(self.settings, node, number, self.sockets))
        self._environment["SSR_URL"] = ",".join(f"unix:{self.sockets}/ssr-{number}.sock" for number in numbers)

    def _start_broker(self) -> Path | None:
        """The socket of the Redis that is started here; None with REDIS_URL, or when there is no redis-server."""
        if self.settings.redis_url:
            self._set({"REDIS_URL": self.settings.redis_url})
            return None
        binary = programs.redis_binary()
        if binary is None:
            print_line(
                "redis-server was not found: the host stores visits and sends mail itself, without Celery "
                "(as with REDIS_URL=none)"
            )
            self._set({"REDIS_URL": "none"})
            return None
        self._add(programs.redis(self.settings, binary, self.sockets))
        path = self.sockets / "redis.sock"
        self._set({"REDIS_URL": f"unix://{path}"})
        return path

    async def _prepare_database(self) -> None:
        process = await start(programs.prepare(), self._environment, {}, self._fork_server)
        try:
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
        if status != 0:
            raise StartupError("the database could not be prepared; see the line above")

    async def _first_page(self) -> bytes:
        """/shop as soon as a host serves it, rendered by a worker or plain."""
        while True:
            page = await fetch(self.settings, "/shop")
            if b'id="root"' in page:
                return page
            await asyncio.sleep(0.03)

    async def _announce(self) -> None:
        """Announce the site when every program is started, a worker renders pages and the stand-in provider, if used,
        is up; at the latest after FIRST_PAGE_S."""
        deadline = time.monotonic() + FIRST_PAGE_S
        while True:
            page = await self._first_page()
            are_started = all(child.started.is_set() for child in self.children)
            is_complete = are_started and b'id="root">' in page and await self._has_provider()
            if is_complete or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.03)
        if b'id="root">' not in page:
            print_line("No render worker responds yet: pages are plain HTML until one does")
        print_line("\n".join([f"ready http://localhost:{self.settings.port}", *development_hints(self.settings)]))

    async def _has_provider(self) -> bool:
        if self.settings.oidc_issuer or not any(child.program.kind == "standins" for child in self.children):
            return True
        return b'"provider": "up"' in await fetch(self.settings, "/readyz")

    async def _write_status(self) -> None:
        """After each change, the process ids for `dev pids` and the status of the loops for /readyz."""
        await self._changed.wait()
        self._changed.clear()
        pids: dict[str, list[int]] = {"host": [], "ssr": [], "worker": [], "redis": [], "standins": []}
        for child in self.children:
            if child.process is not None and child.process.returncode is None:
                pids[child.program.kind].append(child.process.pid)
        path = self.settings.var_dir / "pids.json"
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(pids))
        unfinished.rename(path)
        loops = [*self._loops, *(child.loop for child in self.children)]
        write_statuses(self.settings.var_dir, os.getpid(), loops)

    async def _probe_renderers(self) -> None:
        """Kill render workers that hang, so that they are restarted. A busy one answers between two renders."""
        await asyncio.sleep(PROBE_EVERY_S)
        await asyncio.gather(*(self._probe(child) for child in self.children if child.program.kind == "ssr"))

    async def _probe(self, child: Child) -> None:
        process, silence_s = child.process, self.settings.ssr_first_ms / 1000 + MAX_SILENCE_S
        state = await renderer_state(self.sockets / f"{child.program.name}.sock", silence_s)
        is_late = state is RendererState.ABSENT and time.monotonic() - child.started_at > LISTEN_WITHIN_S
        # A worker that was restarted during the probe is another one.
        if (state is RendererState.SILENT or is_late) and child.process is process:
            print_line(f"{child.program.name} does not respond; restarting it")
            child.kill()

    async def _stop_all(self) -> None:
        """Stop the host first, which sends what it has accepted, and Redis last, which takes it."""
        # A render worker that stops answers no probe.
        await self._probes.stop()
        if self._background is not None:
            self._background.cancel()
            await asyncio.gather(self._background, return_exceptions=True)
        for kind in ("host", "worker", "ssr", "standins", "redis"):
            await asyncio.gather(*(child.stop() for child in self.children if child.program.kind == kind))
        await asyncio.gather(*(loop.stop() for loop in self._loops))
        if self._database is not None:
            self._database.cancel()
            await asyncio.gather(self._database, return_exceptions=True)
        await self._fork_server.stop()
        if self._lock is None:
            # The folder belongs to another site, which writes these files.
            return
        for name in ("pids.json", STATUS_FILE):
            (self.settings.var_dir / name).unlink(missing_ok=True)


def _lock(var_dir: Path) -> IO[str]:
    """A lock that prevents a second site on the same folder. Raises StartupError."""
    file = (var_dir / "site.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise StartupError(f"another Coursefront runs on {var_dir}; stop it or set VAR_DIR") from None
    return file


async def _wait_for_redis(path: Path, log: Path) -> None:
    deadline = time.monotonic() + REDIS_READY_S
    while not await redis_responds(path):
        if time.monotonic() > deadline:
            raise StartupError(f"the embedded Redis does not respond; {log} says why")
        await asyncio.sleep(0.02)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        text = f"port {settings.port} on {settings.host} is not available ({error.strerror}); set PORT"
        raise StartupError(text) from None
    listener.listen(1024)
    return listener


def serve(settings: Settings) -> int:
    return asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    return await Supervisor(settings).run()

"""Starts what the site needs on one machine, restarts what dies, stops everything in order.

The supervisor holds the listening socket, so a host process that dies costs waiting, never a refused connection.
"""

import asyncio
import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO

from host import embedded
from host.children import Child, say
from host.embedded import Program
from host.settings import Settings
from host.signs_of_life import fetched, redis_pings, renderer_answers

PROBE_EVERY_S = 2.0
PROBES_MISSED = 2
REDIS_READY_S = 10.0
# Pages drawn by a worker are waited for this long before the site is called ready without.
DRAWN_S = 8.0


class CannotStart(Exception):
    """One line that says why and what to do."""


class Supervisor:
    """`run` returns the exit status after everything has stopped."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.sockets = Path(tempfile.mkdtemp(prefix="cf-"))
        self.children: list[Child] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._stop = asyncio.Event()
        self._environment = dict(os.environ)
        self._lock: IO[str] | None = None
        self._listener: socket.socket | None = None

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for one in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(one, self._stop.set)
        try:
            await self._start_until_told()
            await self._stop.wait()
        except CannotStart as error:
            say(f"Coursefront cannot start: {error}")
            return 3
        finally:
            await self._stop_all()
            shutil.rmtree(self.sockets, ignore_errors=True)
        return 0

    async def _start_until_told(self) -> None:
        """Start everything; a TERM in between ends it."""
        starting, told = asyncio.create_task(self._start()), asyncio.create_task(self._stop.wait())
        await asyncio.wait({starting, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return
        starting.result()

    async def _start(self) -> None:
        settings = self.settings
        settings.var_dir.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(settings.var_dir)
        # Held, or it would close behind the hosts that are started again.
        self._listener = _listen(settings)
        self._environment["VAR_DIR"] = str(settings.var_dir)
        self._tasks.append(asyncio.create_task(self._write_pids()))
        standins = embedded.standins(settings)
        if standins is not None:
            self._environment.update(embedded.standins_addresses(settings))
        records = asyncio.create_task(self._prepare_records())
        self._tasks.append(records)
        self._start_renderers()
        broker = self._start_broker()
        # Hosts come up meanwhile, and wait for records and broker at the pipe that is closed then.
        waiting, opened = os.pipe()
        handed = {"LISTEN_FD": self._listener.fileno(), "START_FD": waiting}
        hosts = [self._add(embedded.web(number), handed) for number in range(1, settings.host_workers + 1)]
        await asyncio.gather(records, *([] if broker is None else [_answering(broker)]))
        os.close(opened)
        if standins is not None:
            self._add(standins)
        await asyncio.gather(*(child.started.wait() for child in hosts))
        # The worker leaves the processor to the first page.
        await self._page()
        if self._environment["REDIS_URL"] != "none":
            self._add(embedded.worker(settings))
        await self._announce()
        self._tasks.append(asyncio.create_task(self._probe_renderers()))

    def _add(self, program: Program, handed: Mapping[str, int] = MappingProxyType({})) -> Child:
        child = Child(program, self._environment, handed)
        self.children.append(child)
        self._tasks.append(asyncio.create_task(child.keep_alive(self._changed)))
        return child

    def _start_renderers(self) -> None:
        if self.settings.ssr_url:
            return
        node = shutil.which("node")
        if node is None:
            raise CannotStart("Node is not installed; pages need Node 20.19 or newer (or set SSR_URL)")
        numbers = range(1, self.settings.ssr_workers + 1)
        for number in numbers:
            self._add(embedded.ssr(self.settings, node, number, self.sockets))
        self._environment["SSR_URL"] = ",".join(f"unix:{self.sockets}/ssr-{number}.sock" for number in numbers)

    def _start_broker(self) -> Path | None:
        """The socket of the Redis that is started here, None when there is another or none."""
        given = self.settings.redis_url
        if given:
            self._environment["REDIS_URL"] = given
            return None
        binary = embedded.redis_binary()
        if binary is None:
            say("No redis-server here: visits are stored by the host itself, without Celery (as with REDIS_URL=none)")
            self._environment["REDIS_URL"] = "none"
            return None
        self._add(embedded.redis(self.settings, binary, self.sockets))
        path = self.sockets / "redis.sock"
        self._environment["REDIS_URL"] = f"unix://{path}"
        return path

    async def _prepare_records(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "host", "prepare", env=self._environment, stdin=asyncio.subprocess.DEVNULL
        )
        if await process.wait() != 0:
            raise CannotStart("the records could not be prepared; see the line above")

    async def _page(self) -> bytes:
        """The first page that a host serves, drawn or plain."""
        while True:
            page = await fetched(self.settings, "/shop")
            if b'id="root"' in page:
                return page
            await asyncio.sleep(0.03)

    async def _announce(self) -> None:
        """Ready when a page has been served; drawn by a worker, or plain when none comes up in time. One may sign in
        then, if the provider is our own."""
        until = time.monotonic() + DRAWN_S
        while True:
            page = await self._page()
            if (b'id="root">' in page and await self._has_provider()) or time.monotonic() > until:
                break
            await asyncio.sleep(0.03)
        if b'id="root">' not in page:
            say("No render worker answers yet: pages are plain lists until one does")
        say(f"ready http://localhost:{self.settings.port}")

    async def _has_provider(self) -> bool:
        if self.settings.oidc_issuer or not any(child.program.kind == "standins" for child in self.children):
            return True
        return b'"provider": "up"' in await fetched(self.settings, "/readyz")

    async def _write_pids(self) -> None:
        path = self.settings.var_dir / "pids.json"
        while True:
            await self._changed.wait()
            self._changed.clear()
            found: dict[str, list[int]] = {"host": [], "ssr": [], "worker": [], "redis": [], "standins": []}
            for child in self.children:
                if child.process is not None and child.process.returncode is None:
                    found[child.program.kind].append(child.process.pid)
            unfinished = path.with_suffix(".new")
            unfinished.write_text(json.dumps(found))
            unfinished.rename(path)

    async def _probe_renderers(self) -> None:
        """A render worker that hangs is killed and started again."""
        missed: dict[str, int] = {}
        while True:
            await asyncio.sleep(PROBE_EVERY_S)
            for child in [one for one in self.children if one.program.kind == "ssr"]:
                name = child.program.name
                answers = await renderer_answers(self.sockets / f"{name}.sock")
                missed[name] = 0 if answers else missed.get(name, 0) + 1
                if missed[name] >= PROBES_MISSED:
                    say(f"{name} does not answer; it is started again")
                    child.kill()
                    missed[name] = 0

    async def _stop_all(self) -> None:
        """The host first, so that what it accepted is handed on; Redis last, so that it can be taken."""
        for kind in ("host", "worker", "ssr", "standins", "redis"):
            await asyncio.gather(*(child.stop() for child in self.children if child.program.kind == kind))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        (self.settings.var_dir / "pids.json").unlink(missing_ok=True)


def _lock(var_dir: Path) -> IO[str]:
    """Two sites on one folder would start two of everything."""
    file = (var_dir / "site.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise CannotStart(f"another Coursefront runs on {var_dir}; stop it or set VAR_DIR") from None
    return file


async def _answering(redis: Path) -> None:
    until = time.monotonic() + REDIS_READY_S
    while not await redis_pings(redis):
        if time.monotonic() > until:
            raise CannotStart("the embedded Redis does not answer; see the lines above")
        await asyncio.sleep(0.02)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise CannotStart(
            f"port {settings.port} on {settings.host} cannot be had ({error.strerror}); set PORT"
        ) from None
    listener.listen(1024)
    return listener


def serve(settings: Settings) -> int:
    return asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    return await Supervisor(settings).run()

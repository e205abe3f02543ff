"""A private site for tests and measurements: `python -m host serve` on a free port, with a folder of its own."""

import argparse
import contextlib
import ctypes
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

import psutil
from redis import Redis
from sqlalchemy import NullPool, create_engine

from config.settings import ROOT, Settings, variable
from domain.database.database import database_url
from host.cli import dev
from tests.support.servers import free_port
from tests.support.waiting import LIMIT_S

# The machine may be busy with other suites; the product's own promise is checked by the benchmarks.
READY_S = 180.0
# docs/operations.md, "Order": 10 s, which `scripts/bench faults term` holds on an idle machine.
STOP_S = 25.0
_STDOUT = threading.Lock()
# Settings of a site without stand-ins, for tests in which nobody signs in, gets mail or pays: it starts sooner.
WITHOUT_STANDINS = {
    "OIDC_ISSUER": "http://127.0.0.1:9",
    "SMTP_URL": "smtp://127.0.0.1:9",
    "PAYMENTS_API_BASE": "http://127.0.0.1:9",
}


class Site:
    """One running site. `module` is what is started: the product, or a twin of it for a negative control."""

    # A test run sets it: a site in a new folder begins with a copy of this database, not by loading the demo shop.
    filled_database: ClassVar[Path | None] = None

    def __init__(self, module: str = "host", var_dir: Path | None = None, port: int = 0, **settings: str):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.var_dir = var_dir or Path(tempfile.mkdtemp(prefix="cf-site-"))
        if var_dir is None and self.filled_database is not None and "DATABASE_URL" not in settings:
            shutil.copy(self.filled_database, self.var_dir / "coursefront.db")
        self.environment = _environment(VAR_DIR=str(self.var_dir), PORT=str(self.port), **settings)
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "serve"],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=_die_with_tests,  # noqa: PLW1509 one call into libc, no lock
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip())
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, text: str, deadline_s: float = READY_S) -> str:
        """The first line that holds `text`. Fails when the site ends or the deadline passes first."""
        until = time.monotonic() + deadline_s
        with self._changed:
            while not (lines := [line for line in self.lines if text in line]):
                left = until - time.monotonic()
                assert left > 0, f"no line with {text!r} within {deadline_s:g} s: {self.lines[-5:]}"
                assert self.process.poll() is None, f"the site ended: {self.lines[-5:]}"
                self._changed.wait(min(left, 0.2))
        return lines[0]

    def ready(self) -> "Site":
        self.wait_for("ready http://")
        return self

    def pids(self) -> dict[str, list[int]]:
        """Process ids by kind, as `python -m host dev pids` prints them, read without starting a process."""
        pids: dict[str, list[int]] = json.loads((self.var_dir / "pids.json").read_text())
        return pids

    def dev(self, *words: str) -> str:
        """What `python -m host dev …` prints."""
        return self.command(dev, *words)

    def command(self, module: Any, *words: str) -> str:
        """What a command of `host/cli` prints, given its module, without the start of another Python process."""
        parser, printed = argparse.ArgumentParser(), io.StringIO()
        module.add_arguments(parser)
        # Standard output belongs to the whole process.
        with _STDOUT, contextlib.redirect_stdout(printed):
            status = module.run(parser.parse_args(words), Settings.from_environment(self.environment))
        assert status == 0, words
        return printed.getvalue()

    def redis(self) -> Redis:
        """A connection to the site's own Redis; close it after use."""
        url = self.environment.get("REDIS_URL")
        if url is None:
            # Redis writes the socket that it listens on into its title.
            title, *_ = psutil.Process(self.pids()["redis"][0]).cmdline()
            url = f"unix://{title.partition('unixsocket:')[2]}"
        return Redis.from_url(url, socket_timeout=10)

    def traces(self, session: str) -> list[dict[str, Any]]:
        traces: list[dict[str, Any]] = json.loads(self.dev("traces", session))
        return traces

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Reads the running site's database. Raises OperationalError where MariaDB does not answer."""
        if "DATABASE_URL" in self.environment:
            return self._query_mariadb(statement.replace("?", "%s"), values)
        address = f"file:{self.var_dir}/coursefront.db?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=LIMIT_S)) as connection:
            return connection.execute(statement, values).fetchall()

    def _query_mariadb(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        url = database_url(self.environment["DATABASE_URL"], self.var_dir)
        engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 2, "read_timeout": 5})
        with engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(statement, values)]

    def copy_database(self) -> Path:
        """A new folder with a copy of the database: a second site starts without loading the demo shop again."""
        folder = Path(tempfile.mkdtemp(prefix="cf-site-"))
        with (
            contextlib.closing(sqlite3.connect(self.var_dir / "coursefront.db", timeout=LIMIT_S)) as source,
            contextlib.closing(sqlite3.connect(folder / "coursefront.db")) as copy,
        ):
            source.backup(copy)
        return folder

    def processes(self) -> list[psutil.Process]:
        """All live processes started for this site, wherever they are in the process tree."""
        return [process for process in psutil.process_iter() if _is_of(process, str(self.var_dir))]

    def signal(self, kind: str, number: int, index: int | None = None) -> list[int]:
        """Signals every process of a kind, or the one at `index`."""
        pids = self.pids()[kind]
        targets = pids if index is None or not pids else [pids[index % len(pids)]]
        for pid in targets:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return targets

    def stop(self) -> float:
        """Stops the site with TERM; returns the seconds it took. Fails when it is slow or leaves processes."""
        began = time.monotonic()
        self.process.terminate()
        try:
            code = self.process.wait(STOP_S + 10)
            took = time.monotonic() - began
            left = self.processes()
        finally:
            self.clear(keep=True)
        assert code == 0, f"the site ended with {code}: {self.lines[-5:]}"
        assert took <= STOP_S, f"stopping took {took:.1f} s: {self.lines[-5:]}"
        assert not left, f"left behind: {left}"
        return took

    def kill(self) -> None:
        """Kills the supervisor alone, so that it cannot clean up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(5)

    def clear(self, keep: bool = False) -> None:
        """Kills what is left of the site; removes its folder unless `keep` is set."""
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.end()
        if not keep:
            shutil.rmtree(self.var_dir, ignore_errors=True)

    def end(self) -> int:
        """Waits until the site ends; returns its exit status."""
        code = self.process.wait(20)
        self._reader.join(10)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def _environment(**settings: str) -> dict[str, str]:
    """The caller's environment without any setting of the product, then `settings`."""
    own_variables = {variable(field.name) for field in fields(Settings)} | {
        "VISIBILITY_TIMEOUT_S",
        "LISTEN_FD",
        "START_FD",
    }
    return {name: value for name, value in os.environ.items() if name not in own_variables} | settings


def _die_with_tests() -> None:
    """Sends TERM to the site when the test process dies (Linux)."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def _is_of(process: psutil.Process, var_dir: str) -> bool:
    """Whether a process belongs to the site. Redis overwrites its environment: its folder counts too."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.environ().get("VAR_DIR") == var_dir or str(process.cwd()).startswith(var_dir)
    except psutil.Error:
        return False


@contextlib.contextmanager
def running(var_dir: Path | None = None, /, **settings: str) -> Iterator[Site]:
    """A ready site during a block. Stopping it cleanly is part of the test."""
    site = Site(var_dir=var_dir, **settings)
    try:
        yield site.ready()
        site.stop()
    finally:
        site.clear()

"""A private site for tests and measurements: `python -m host serve` on a free port, with a folder of its own."""

import contextlib
import ctypes
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
from typing import Any, TypeVar

import psutil

from bench.processes import free_port
from host.settings import ROOT, Settings, variable

# The machine may be busy with other suites; the product's own promise is checked by the benchmarks.
READY_S = 60.0
# docs/operations.md, "Order": the whole site stops within this.
STOP_S = 10.0
Found = TypeVar("Found")


class Site:
    """One running site. `module` is what is started: the product, or a twin of it that a test keeps."""

    def __init__(self, module: str = "host", var_dir: Path | None = None, port: int = 0, **settings: str):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.var_dir = var_dir or Path(tempfile.mkdtemp(prefix="cf-site-"))
        self.environment = _environment(VAR_DIR=str(self.var_dir), PORT=str(self.port), **settings)
        self.lines: list[str] = []
        self._said = threading.Condition()
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
            with self._said:
                self.lines.append(line.rstrip())
                self._said.notify_all()
        with self._said:
            self._said.notify_all()

    def wait_for(self, text: str, deadline_s: float = READY_S) -> str:
        """The first line that holds `text`. Fails when the site ends or the deadline passes first."""
        until = time.monotonic() + deadline_s
        with self._said:
            while not (found := [line for line in self.lines if text in line]):
                left = until - time.monotonic()
                assert left > 0, f"no line with {text!r} within {deadline_s:g} s: {self.lines[-5:]}"
                assert self.process.poll() is None, f"the site ended: {self.lines[-5:]}"
                self._said.wait(min(left, 0.2))
        return found[0]

    def ready(self) -> "Site":
        self.wait_for("ready http://")
        return self

    def pids(self) -> dict[str, list[int]]:
        """Process ids by kind, as `python -m host dev pids` tells them."""
        found: dict[str, list[int]] = json.loads(self.dev("pids"))
        return found

    def dev(self, *words: str) -> str:
        command = [sys.executable, "-m", "host", "dev", *words]
        made = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=30, check=False
        )
        assert made.returncode == 0, made.stderr
        return made.stdout

    def traces(self, session: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.dev("traces", session))
        return found

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Reads the records beside the running site (SQLite only)."""
        address = f"file:{self.var_dir}/coursefront.db?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=10)) as records:
            return records.execute(statement, values).fetchall()

    def processes(self) -> list[psutil.Process]:
        """Everything alive that was started for this site, wherever it hangs in the process tree."""
        return [one for one in psutil.process_iter() if _is_of(one, str(self.var_dir))]

    def signal(self, kind: str, number: int, only: int | None = None) -> list[int]:
        """Signals every process of a kind, or one of them in turn, at once: no other Python starts first."""
        pids: list[int] = json.loads((self.var_dir / "pids.json").read_text())[kind]
        reached = pids if only is None or not pids else [pids[only % len(pids)]]
        for pid in reached:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return reached

    def stop(self) -> float:
        """TERM, as a person would. Returns how long it took; fails when it took too long or left something behind."""
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
        """The supervisor alone, without a chance to clean up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(5)

    def clear(self, keep: bool = False) -> None:
        """Ends what is left of the site, in whatever state it is; removes its folder unless told to `keep` it."""
        for one in self.processes():
            with contextlib.suppress(psutil.Error):
                one.kill()
        self.end()
        if not keep:
            shutil.rmtree(self.var_dir, ignore_errors=True)

    def end(self) -> int:
        """Waits for a site that ends by itself; returns its exit status."""
        code = self.process.wait(20)
        self._reader.join(10)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def _environment(**settings: str) -> dict[str, str]:
    """The caller's environment without any setting of the product, then `settings`."""
    ours = {variable(one.name) for one in fields(Settings)} | {"VISIBILITY_TIMEOUT_S", "LISTEN_FD", "START_FD"}
    return {name: value for name, value in os.environ.items() if name not in ours} | settings


def _die_with_tests() -> None:
    """A test run that is killed takes its sites with it (Linux)."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def _is_of(process: psutil.Process, var_dir: str) -> bool:
    """Redis writes its title over its environment; what gives it away is the folder it works in."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.environ().get("VAR_DIR") == var_dir or str(process.cwd()).startswith(var_dir)
    except psutil.Error:
        return False


@contextlib.contextmanager
def running(**settings: str) -> Iterator[Site]:
    """A ready site for as long as the block lasts; stopping it is part of the test."""
    site = Site(**settings)  # type: ignore[arg-type]
    try:
        yield site.ready()
        site.stop()
    finally:
        site.clear()

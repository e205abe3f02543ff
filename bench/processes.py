"""Starts and stops the measured servers, and measures their CPU time and memory."""

import contextlib
import gc
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.support.servers import free_port

ROOT = Path(__file__).parent.parent
START_S = 120.0
# That of hosts and workers.
COLLECT_AFTER = 10_000


def freeze_startup_objects() -> None:
    """What hosts and workers do once they have started: collections do not look at these objects again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


@dataclass(frozen=True)
class Side:
    """One server of a comparison. Its cost is that of the processes `pids` with their threads and children."""

    name: str
    port: int
    pids: Callable[[], list[int]]

    def cpu(self) -> float:
        """User and system seconds so far."""
        return sum(_cpu_of(process) for process in trees(self.pids()))


@dataclass(frozen=True)
class Site(Side):
    """A running `python -m host serve` with a folder of its own."""

    var_dir: Path

    def pids_of(self, *kinds: str) -> list[int]:
        pids_by_kind = json.loads((self.var_dir / "pids.json").read_text())
        return [pid for kind in kinds for pid in pids_by_kind[kind]]

    def process_group(self, kind: str) -> Side:
        """This site, counting only one kind of process."""
        return Side(f"{self.name} {kind}", self.port, lambda: self.pids_of(kind))


def trees(pids: list[int]) -> list[psutil.Process]:
    roots = [psutil.Process(pid) for pid in pids]
    return [*roots, *(child for root in roots for child in root.children(recursive=True))]


def _cpu_of(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def pss_mb(pids: list[int]) -> float:
    """Proportional set size: a shared page is divided among the processes that share it."""
    return float(sum(process.memory_full_info().pss for process in trees(pids))) / 2**20


def fetch(port: int, path: str, encoding: str = "identity") -> bytes:
    """A response with its head, b"" when there is none."""
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: {encoding}\r\n\r\n"
            connection.sendall(head.encode())
            return b"".join(iter(lambda: connection.recv(65536), b""))
    except OSError:
        return b""


def wait_until(condition: Callable[[], bool], what: str, seconds: float = START_S, every_s: float = 0.01) -> None:
    """Waits for the condition, which is looked at every so many seconds. Raises RuntimeError when it is not met in
    time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"{what} did not happen within {seconds:g} s")
        time.sleep(every_s)


@contextlib.contextmanager
def run_process(command: list[str], environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a child process during a block; terminates it at the end, kills it after 15 s."""
    child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(15)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextlib.contextmanager
def site(name: str, var_dir: Path | None = None, /, **settings: str) -> Iterator[Site]:
    """The product with one render worker. `var_dir` may hold a prepared catalogue; else the demo shop is loaded."""
    with contextlib.ExitStack() as stack:
        folder = var_dir or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cf-bench-")))
        port = free_port()
        environment = {"PORT": str(port), "VAR_DIR": str(folder), "SSR_WORKERS": "1", **settings}
        stack.enter_context(run_process([sys.executable, "-m", "host", "serve"], environment))
        wait_until(lambda: b'<div id="root">' in fetch(port, "/shop"), f"a page of {name}")
        running_site = Site(name, port, lambda: running_site.pids_of("host", "ssr"), folder)
        yield running_site


@contextlib.contextmanager
def reference(name: str, command: list[str], path: str = "/") -> Iterator[Side]:
    """A reference server; `{port}` in its command becomes its port."""
    port = free_port()
    with run_process([word.replace("{port}", str(port)) for word in command]) as child:
        wait_until(lambda: fetch(port, path) != b"", f"a response of {name}")
        yield Side(name, port, lambda: [child.pid])

"""Real servers that tests start, freeze and stop: Redis, MariaDB, Node, Celery, a payment gateway."""

import itertools
import json
import os
import pwd
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psutil
from sqlalchemy import create_engine, text

from config.settings import ROOT
from contracts.tasks import Queue
from host.supervisor.programs import redis_binary
from tests.support.waiting import until_now


def free_port() -> int:
    """A port that is free together with the three above it, where a site's stand-ins listen.

    Below the system's ephemeral ports: one of those could be taken a moment later. No other process of the tests gets
    it before this one has ended.
    """
    while True:
        port = random.randrange(20_000, 32_000, 4)
        if _claim(port) and all(_is_free(port + above) for above in range(4)):
            return port


def _claim(port: int) -> bool:
    """False when a process of the tests has these ports already. Linux gives a name to one socket at a time, and frees
    it with the process."""
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0coursefront-ports-{port}")
    except OSError:
        name.close()
        return False
    name.detach()
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Process:
    """A server process with a temporary folder for its sockets and data."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cf-"))
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, *command: str, **environment: str) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=log
            )

    def log_lines(self) -> list[str]:
        """What the process has written to stderr."""
        return (self.folder / "log").read_text("utf-8").splitlines()

    @property
    def is_started(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def freeze(self) -> None:
        """Returns when every thread has stopped: until then one may still take a lock."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kills the process with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        """Stops the process with TERM. Kills it and raises TimeoutExpired when it has not ended after 20 s."""
        if self._process is None:
            return
        self.thaw()
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class RedisServer(Process):
    """As host/supervisor/programs.py starts it: on a Unix socket, durable. A second `start` finds the stored data."""

    def __init__(self, binary: str, appendonly: str = "yes"):
        super().__init__()
        self._binary, self._appendonly = binary, appendonly
        self._path = self.folder / "redis.sock"
        self.url = f"unix://{self._path}"

    def start(self) -> None:
        options = {
            "--port": "0",
            "--unixsocket": str(self._path),
            "--dir": str(self.folder),
            "--appendonly": self._appendonly,
            "--save": "",
        }
        self._run(self._binary, *(word for pair in options.items() for word in pair))
        until_now(lambda: _answers(f"unix:{self._path}", b"PING\r\n", b"+PONG"))


def _mariadb_user() -> str | None:
    """mariadbd refuses to run as root. Where only its program is installed, its own user is missing."""
    if os.geteuid() != 0:
        return None
    return "mysql" if any(entry.pw_name == "mysql" for entry in pwd.getpwall()) else "nobody"


class MariaServer(Process):
    """A private mariadbd. A second `start` finds the stored data, on the same port."""

    def __init__(self, binary: str):
        super().__init__()
        user = _mariadb_user()
        if user:
            shutil.chown(self.folder, user)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = int(probe.getsockname()[1])
        self._binary = binary
        # A server that starts deletes the temporary tables in its folder for them, also those of another server.
        folders = [f"--datadir={self.folder}/data", f"--tmpdir={self.folder}"]
        self._common = ["--no-defaults", *folders, *([f"--user={user}"] if user else [])]
        install = ["mariadb-install-db", *self._common, "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run(install, check=True, capture_output=True)
        self.url = f"mysql://root@127.0.0.1:{self._port}"

    def start(self) -> None:
        options = [f"--socket={self.folder}/s.sock", f"--port={self._port}", "--bind-address=127.0.0.1"]
        speed = ["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M", "--skip-name-resolve"]
        # A race has a connection for each who takes part, while other processes of the run use theirs.
        many = ["--max-connections=400"]
        self._run(self._binary, *self._common, *options, *speed, *many)
        until_now(self._answers, deadline_s=60)

    def _answers(self) -> bool:
        """Whether the server sends its greeting; while it starts or stops it sends an error instead."""
        assert self._process is not None
        assert self._process.poll() is None, "mariadbd ended"
        try:
            with socket.create_connection(("127.0.0.1", self._port), 1) as line:
                return line.recv(5)[4:] == b"\x0a"
        except OSError:
            return False


class NodeWorker(Process):
    """The built SSR worker on a Unix socket, or at `address` (tcp://…)."""

    def __init__(self, address: str = "") -> None:
        super().__init__()
        self.address = address or f"unix:{self.folder}/ssr.sock"

    def start(self, **environment: str) -> None:
        server = str(ROOT / "ssr" / "dist" / "server.cjs")
        self._run("node", server, NODE_ENV="production", SSR_LISTEN=self.address, **environment)
        until_now(lambda: _answers(self.address, struct.pack(">IcI", 5, b"P", 0), b"O"), deadline_s=60)


class CeleryWorker(Process):
    """The workers of this project, on a broker and a data folder; without beat, unless `words` has it. Mail is sent
    only if `queues` says."""

    def start(
        self,
        redis_url: str,
        queues: Iterable[Queue] = (),
        pool: str = "threads",
        words: Iterable[str] = (),
        **environment: str,
    ) -> None:
        command = ("-m", "celery", "-A", "workers.app", "worker", "-P", pool, "-c", "2")
        rest = (
            "-Q",
            ",".join(queues or (queue for queue in Queue if queue is not Queue.MAIL)),
            "--without-gossip",
            "--without-mingle",
            "--loglevel",
            "ERROR",
        )
        self._run(sys.executable, *command, *rest, *words, REDIS_URL=redis_url, **environment)

    def close(self) -> None:
        """Kills it with the processes of its pool: no test needs its clean end, which takes seconds."""
        if self._process is not None:
            pool = psutil.Process(self.pid).children(recursive=True)
            self.kill()
            for process in pool:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        super().close()


class PaymentsServer(Process):
    """A private payment gateway (standins/payments) on a free port. A second `start` finds the stored data."""

    key, secret = "sk_test_standin", "whsec_standin"

    def __init__(self, webhook: str = "") -> None:
        super().__init__()
        self.webhook = webhook
        self._port = free_port()
        # The origin of its API and of its pages.
        self.origin = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        options = (
            "--folder",
            str(self.folder),
            "--site-origin",
            "http://localhost",
            "--payments-port",
            str(self._port),
        )
        webhook = ("--payments-webhook", self.webhook) if self.webhook else ()
        alone = ("--without", "identity", "--without", "mail")
        self._run(sys.executable, "-m", "standins", *options, *webhook, *alone)
        until_now(self._responds)

    def _responds(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log_lines()
        try:
            self.call("/dev/faults")
        except OSError:
            return False
        return True

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a site that uses it."""
        return {
            "PAYMENTS_API_BASE": self.origin,
            "PAYMENTS_PAGE_ORIGIN": self.origin,
            "PAYMENTS_KEY": self.key,
            "PAYMENTS_WEBHOOK_SECRETS": self.secret,
        }

    def call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """GET, or POST with a body; /dev/pay {session, card}, /dev/advance {seconds}, /dev/faults {match, do}, …"""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.origin}{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=20) as answer:
            result: dict[str, Any] = json.load(answer)
        return result

    def pay(self, session: str, card: str = "4242424242424242", **more: str) -> dict[str, Any]:
        """Pays the session with this id; `challenge`: pass or fail."""
        return self.call("/dev/pay", {"session": session, "card": card, **more})

    def money(self) -> list[dict[str, Any]]:
        """The lines of ledger.jsonl."""
        text = (self.folder / "ledger.jsonl").read_text("utf-8") if (self.folder / "ledger.jsonl").exists() else ""
        return [json.loads(line) for line in text.splitlines()]


def _answers(address: str, question: bytes, expected: bytes) -> bool:
    try:
        with _connect(address) as line:
            line.sendall(question)
            return expected in line.recv(300)
    except OSError:
        return False


def _connect(address: str) -> socket.socket:
    """To unix:/path or tcp://host:port. Raises OSError."""
    if not address.startswith("unix:"):
        host, _, port = address.removeprefix("tcp://").rpartition(":")
        return socket.create_connection((host, int(port)), 1)
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(1)
    try:
        line.connect(address.removeprefix("unix:"))
    except OSError:
        line.close()
        raise
    return line


def redis_server_binary() -> str | None:
    """The one that TEST_REDIS names (docs/testing.md, "Versions of production"), else that of a site."""
    return os.environ.get("TEST_REDIS") or redis_binary()


def mariadb_binary() -> str | None:
    path = shutil.which("mariadbd") or shutil.which("mysqld") or "/usr/sbin/mariadbd"
    return path if Path(path).exists() else None


_schemas = itertools.count(1)


def new_schema(server: str) -> str:
    """A fresh, empty database on the private server."""
    name = f"shop{os.getpid()}_{next(_schemas)}"
    engine = create_engine(server.replace("mysql://", "mysql+pymysql://") + "/mysql")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"))
    engine.dispose()
    return f"{server}/{name}"

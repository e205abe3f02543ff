"""One host process: serves the application on a socket it was given, or on its own, until TERM."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys

from aiohttp import web

from host import crawlers
from host.app import create_app
from host.server import GuardedRunner
from host.settings import Settings

# The host's share of the time in which the whole site stops (docs/operations.md, "Order").
STOP_S = 3.0


def run(settings: Settings) -> int:
    """Blocks until told to stop. The supervisor hands its listening socket over as LISTEN_FD, and as START_FD a pipe
    that it closes when the records are prepared."""
    logging.basicConfig(stream=sys.stderr, level=os.environ.get("LOG_LEVEL", "WARNING"), format="%(name)s: %(message)s")
    with contextlib.suppress(ImportError):
        import uvloop

        uvloop.install()
    asyncio.run(_serve(settings))
    return 0


def _wait_for_records() -> None:
    given = os.environ.pop("START_FD", None)
    if given is not None:
        os.read(int(given), 1)
        os.close(int(given))


async def _serve(settings: Settings) -> None:
    app = create_app(settings)
    _wait_for_records()
    # Not before: until here a TERM simply ends the process, which holds nothing yet.
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, stop.set)
    runner = GuardedRunner(
        app,
        header_deadline_s=settings.header_deadline_ms / 1000,
        keepalive_timeout=settings.keepalive_ms / 1000,
        access_log=None,
        shutdown_timeout=STOP_S - 0.5,
    )
    await runner.setup()
    # What stands now stands for good. A full collection over it costs 60 ms of some visitor's answer (bench/search.py).
    gc.collect()
    gc.freeze()
    site = _site(runner, settings)
    await site.start()
    warming = asyncio.create_task(asyncio.to_thread(crawlers.warm))
    try:
        await stop.wait()
    finally:
        await warming
        await runner.cleanup()


def _site(runner: web.BaseRunner, settings: Settings) -> web.BaseSite:
    given = os.environ.get("LISTEN_FD")
    if given is not None:
        listener = socket.socket(fileno=int(given))
        listener.setblocking(False)
        return web.SockSite(runner, listener, backlog=1024)
    return web.TCPSite(runner, settings.host, settings.port, backlog=1024)

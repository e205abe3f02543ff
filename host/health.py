"""/healthz: this process lives. /readyz: what is up, what is degraded, and what was dropped."""

import asyncio
import os
import time

from aiohttp import web
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from domain.errors import Unavailable
from domain.tables import DeadLetter
from host import keys

CHECK_S = 0.5
# A worker's beat writes its time here every 10 s (workers/app.py).
HEARTBEAT_KEY = "coursefront:worker"


async def alive(_request: web.Request) -> web.Response:
    return web.json_response({"status": "alive"}, headers={"Cache-Control": "no-store"})


async def ready(request: web.Request) -> web.Response:
    """200 while pages can be served, kept ones too, with whatever is degraded named; 503 when not even a plain page."""
    app = request.app
    database, dead = await _database(request)
    broker, worker = await _broker(request)
    renderers = app[keys.RENDER]
    dispatch = app[keys.DISPATCH]
    cache = app[keys.PAGE_CACHE]
    parts = {
        "database": database,
        "render": "up" if renderers.ready else "down",
        "broker": broker,
        "worker": worker,
        "coupons": app[keys.QUESTIONS].state,
        "provider": app[keys.PROVIDER].state,
        "spool": "broken off" if dispatch.is_broken else "idle",
    }
    good = {"up", "idle", "none"}
    counts = {
        "render_workers": renderers.ready,
        "render_failures": renderers.failures,
        "visits_accepted": dispatch.accepted,
        "visits_spooled": dispatch.spooled,
        "visits_refused": dispatch.refused,
        "searches_unnoted": app[keys.SEARCHES].dropped,
        "batches_on_disk": await asyncio.get_running_loop().run_in_executor(None, dispatch.waiting_on_disk),
        "coupons_by_workers": app[keys.QUESTIONS].there,
        "coupons_in_place": app[keys.QUESTIONS].here,
        "dead_letters": dead,
    }
    # Without records, what was served before still is; a host that has nothing yet is of no use to anybody.
    is_able = database == "up" or (cache is not None and not cache.is_empty)
    body = {
        "status": "ready" if is_able else "unavailable",
        "process": os.getpid(),
        "parts": parts,
        "degraded": sorted(name for name, state in parts.items() if state not in good),
        "counts": counts,
        "page_cache": None if cache is None else cache.counts(),
        "build": app[keys.ASSETS].build,
    }
    return web.json_response(body, status=200 if is_able else 503, headers={"Cache-Control": "no-store"})


def _look(session: Session) -> int:
    session.execute(text("SELECT 1"))
    return session.scalar(select(func.count()).select_from(DeadLetter)) or 0


async def _database(request: web.Request) -> tuple[str, int | None]:
    try:
        return "up", await request.app[keys.DATABASE].read(_look)
    except Unavailable:
        return "down", None


async def _broker(request: web.Request) -> tuple[str, str]:
    url = request.app[keys.SETTINGS].redis_url
    if url in ("", "none"):
        return "none", "none"
    redis = Redis.from_url(url, socket_timeout=CHECK_S, socket_connect_timeout=CHECK_S)
    try:
        async with asyncio.timeout(CHECK_S):
            beat = await redis.get(HEARTBEAT_KEY)
    except (RedisError, OSError, TimeoutError):
        return "down", "unknown"
    finally:
        await redis.aclose()
    return "up", "up" if beat and time.time() - float(beat) < 30 else "down"

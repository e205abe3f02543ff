"""/healthz: this process runs. /readyz: which parts are up or degraded, and counts of what was dropped."""

import asyncio
import os
import time
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from redis.asyncio import Redis
from redis.exceptions import RedisError

from contracts.redis_keys import FORMER_HEARTBEAT, HEARTBEAT, HEARTBEAT_MAX_AGE_S, NEWER_BATCHES
from domain.backlog import Backlog, count_backlog
from domain.errors import ServiceUnavailable
from domain.outbox import TopicState
from host.app_keys import DATABASE, SETTINGS
from host.identity.provider import PROVIDER
from host.messaging.rpc_client import RPC_CLIENT
from host.messaging.visit_queue import VISIT_QUEUE
from host.page_cache.memory import PAGE_CACHE
from host.rendering.assets import ASSETS
from host.rendering.ssr_client import SSR_CLIENT
from host.resilience.background_loop import LOOPS, read_statuses, statuses
from host.search_log import SEARCH_LOG
from host.visits.server_side import UNRECORDED_VISITS

CHECK_S = 0.5


async def alive(_request: web.Request) -> web.Response:
    return web.json_response({"status": "alive"}, headers={"Cache-Control": "no-store"})


async def ready(request: web.Request) -> web.Response:
    """200 while pages can be served, also from the cache, with the names of degraded parts; else 503."""
    app = request.app
    database, backlog = await _database(request)
    broker, worker, newer = await _broker(request)
    renderers = app[SSR_CLIENT]
    visit_queue = app[VISIT_QUEUE]
    loops = await _loops(request)
    cache = app[PAGE_CACHE]
    parts = {
        "database": database,
        "render": "up" if renderers.ready else "down",
        "broker": broker,
        "worker": worker,
        "coupons": app[RPC_CLIENT].state,
        "provider": app[PROVIDER].state,
        "spool": "broken off" if visit_queue.is_circuit_open else "idle",
        "loops": "up" if all(loop["state"] == "running" for loop in loops.values()) else "failing",
    }
    healthy_states = {"up", "idle", "none"}
    counts = {
        "render_workers": renderers.ready,
        "render_failures": renderers.failures,
        "render_shed": renderers.shed,
        "visits_accepted": visit_queue.accepted,
        "visits_spooled": visit_queue.spooled,
        "visits_refused": visit_queue.refused,
        "crawls_unrecorded": app[UNRECORDED_VISITS].crawls,
        "referral_links_unrecorded": app[UNRECORDED_VISITS].referral_links,
        "searches_unnoted": app[SEARCH_LOG].dropped,
        "batches_on_disk": await asyncio.get_running_loop().run_in_executor(None, visit_queue.spooled_batches),
        "batches_for_newer_workers": newer,
        "coupons_by_workers": app[RPC_CLIENT].by_worker,
        "coupons_in_place": app[RPC_CLIENT].inline,
        "dead_letters": backlog and backlog.dead_letters,
    }
    # Without the database a host can still serve what its page cache has.
    is_ready = database == "up" or (cache is not None and not cache.is_empty)
    body = {
        "status": "ready" if is_ready else "unavailable",
        "process": os.getpid(),
        "parts": parts,
        "degraded": sorted(name for name, state in parts.items() if state not in healthy_states),
        "counts": counts,
        "outbox": backlog and {topic: _outbox_counts(state) for topic, state in backlog.outbox.items()},
        "loops": loops,
        "page_cache": None if cache is None else cache.counts(),
        "build": app[ASSETS].build,
    }
    return web.json_response(body, status=200 if is_ready else 503, headers={"Cache-Control": "no-store"})


async def _loops(request: web.Request) -> dict[str, dict[str, Any]]:
    """Status by name of this process's loops, and of those of the supervisor that started it."""
    loops, folder = request.app[LOOPS], request.app[SETTINGS].var_dir
    of_supervisor = await asyncio.get_running_loop().run_in_executor(None, read_statuses, folder, os.getppid())
    return {**statuses(loops), **of_supervisor}


async def _database(request: web.Request) -> tuple[str, Backlog | None]:
    try:
        return "up", await request.app[DATABASE].read(count_backlog)
    except ServiceUnavailable:
        return "down", None


def _outbox_counts(state: TopicState) -> dict[str, float | None]:
    """`oldest_s`: the age of the oldest waiting row."""
    oldest_s = None
    if state.oldest_at is not None:
        oldest_s = round((datetime.now(UTC) - state.oldest_at).total_seconds(), 1)
    return {"waiting": state.waiting, "oldest_s": oldest_s, "dead": state.dead}


async def _broker(request: web.Request) -> tuple[str, str, int | None]:
    """States of broker and worker, and how many batches of visits only a newer worker can read."""
    url = request.app[SETTINGS].redis_url
    if url in ("", "none"):
        return "none", "none", 0
    redis = Redis.from_url(url, socket_timeout=CHECK_S, socket_connect_timeout=CHECK_S)
    try:
        async with asyncio.timeout(CHECK_S):
            heartbeats = await redis.mget(HEARTBEAT, FORMER_HEARTBEAT)
            newer = int(await redis.hlen(NEWER_BATCHES))
    except (RedisError, OSError, TimeoutError):
        return "down", "unknown", None
    finally:
        await redis.aclose()
    is_up = any(time.time() - float(beat) < HEARTBEAT_MAX_AGE_S for beat in heartbeats if beat)
    return "up", "up" if is_up else "down", newer

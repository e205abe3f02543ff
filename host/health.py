"""/healthz: this process runs. /readyz: which parts are up or degraded, and counts of what was dropped."""

import asyncio
import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from redis.asyncio import Redis
from redis.exceptions import RedisError

from contracts.redis_keys import FORMER_HEARTBEAT, HEARTBEAT, HEARTBEAT_MAX_AGE_S, NEWER_BATCHES
from contracts.tasks import Queue
from domain.backlog import Backlog, count_backlog
from domain.errors import ServiceUnavailable
from domain.outbox import TopicState
from host.app_keys import DATABASE, SETTINGS
from host.identity.provider import PROVIDER
from host.learning.lesson_files import UNSHOWN_LESSONS
from host.messaging.payment_gateway import HOST_GATEWAY
from host.messaging.rpc_client import RPC_CLIENT
from host.messaging.visit_queue import VISIT_QUEUE
from host.page_cache.memory import PAGE_CACHE
from host.rendering.assets import ASSETS
from host.rendering.ssr_client import SSR_CLIENT
from host.resilience.background_loop import LOOPS, read_statuses, statuses
from host.search_log import SEARCH_LOG
from host.visits.server_side import UNRECORDED_VISITS

CHECK_S = 0.5
HEALTHY = {"up", "idle", "none"}


async def alive(_request: web.Request) -> web.Response:
    return web.json_response({"status": "alive"}, headers={"Cache-Control": "no-store"})


@dataclass(frozen=True)
class Health:
    """`parts`: name -> state. A count is None while what holds it does not answer. `outbox`: topic -> counts."""

    parts: dict[str, str]
    counts: dict[str, int | float | None]
    outbox: dict[str, dict[str, float | None]] | None
    queues: dict[str, float]
    loops: dict[str, dict[str, Any]]
    page_cache: dict[str, int | float | None] | None
    # Without the database a host can still serve what its page cache has.
    is_ready: bool

    @property
    def degraded(self) -> list[str]:
        return sorted(name for name, state in self.parts.items() if state not in HEALTHY)

    def parts_up(self) -> dict[str, float]:
        return {name: float(state in HEALTHY) for name, state in self.parts.items()}


async def ready(request: web.Request) -> web.Response:
    """200 while pages can be served, also from the cache, with the names of degraded parts; else 503."""
    state = await gather(request.app)
    body = {
        "status": "ready" if state.is_ready else "unavailable",
        "process": os.getpid(),
        "parts": state.parts,
        "degraded": state.degraded,
        "counts": state.counts,
        "outbox": state.outbox,
        "queues": state.queues,
        "loops": state.loops,
        "page_cache": state.page_cache,
        "build": request.app[ASSETS].build,
    }
    return web.json_response(body, status=200 if state.is_ready else 503, headers={"Cache-Control": "no-store"})


async def gather(app: web.Application) -> Health:
    """The state of every part. The database has the deadline of its reads, the broker CHECK_S."""
    database, backlog = await _database(app)
    broker = await _broker(app[SETTINGS].redis_url)
    renderers = app[SSR_CLIENT]
    visit_queue = app[VISIT_QUEUE]
    loops = await _loops(app)
    cache = app[PAGE_CACHE]
    parts = {
        "database": database,
        "render": "up" if renderers.ready else "down",
        "broker": broker.state,
        "worker": broker.worker,
        "coupons": app[RPC_CLIENT].state,
        "provider": app[PROVIDER].state,
        "payments": app[HOST_GATEWAY].state,
        "spool": "broken off" if visit_queue.is_circuit_open else "idle",
        "loops": "up" if all(loop["state"] == "running" for loop in loops.values()) else "failing",
    }
    counts: dict[str, int | float | None] = {
        "render_workers": renderers.ready,
        "render_failures": renderers.failures,
        "render_shed": renderers.shed,
        "visits_accepted": visit_queue.accepted,
        "visits_spooled": visit_queue.spooled,
        "visits_refused": visit_queue.refused,
        "crawls_unrecorded": app[UNRECORDED_VISITS].crawls,
        "referral_links_unrecorded": app[UNRECORDED_VISITS].referral_links,
        "searches_unnoted": app[SEARCH_LOG].dropped,
        "lessons_unshown": app[UNSHOWN_LESSONS].count,
        "batches_on_disk": await asyncio.get_running_loop().run_in_executor(None, visit_queue.spooled_batches),
        "batches_for_newer_workers": broker.newer_batches,
        "coupons_by_workers": app[RPC_CLIENT].by_worker,
        "coupons_in_place": app[RPC_CLIENT].inline,
        "payment_events_accepted": app[HOST_GATEWAY].events_accepted,
        "payment_events_refused": app[HOST_GATEWAY].events_refused,
        "dead_letters": None if backlog is None else backlog.dead_letters,
        "payment_findings": None if backlog is None else backlog.payment_findings,
    }
    return Health(
        parts=parts,
        counts=counts,
        outbox=None if backlog is None else _outbox_counts(backlog),
        queues=broker.queues,
        loops=loops,
        page_cache=None if cache is None else dict(cache.counts()),
        is_ready=database == "up" or (cache is not None and not cache.is_empty),
    )


async def _loops(app: web.Application) -> dict[str, dict[str, Any]]:
    """Status by name of this process's loops, and of those of the supervisor that started it."""
    loops, folder = app[LOOPS], app[SETTINGS].var_dir
    of_supervisor = await asyncio.get_running_loop().run_in_executor(None, read_statuses, folder, os.getppid())
    return {**statuses(loops), **of_supervisor}


async def _database(app: web.Application) -> tuple[str, Backlog | None]:
    try:
        return "up", await app[DATABASE].read(count_backlog)
    except ServiceUnavailable:
        return "down", None


def _outbox_counts(backlog: Backlog) -> dict[str, dict[str, float | None]]:
    return {str(topic): _topic_counts(state) for topic, state in backlog.outbox.items()}


def _topic_counts(state: TopicState) -> dict[str, float | None]:
    """`oldest_s`: the age of the oldest waiting row."""
    oldest_s = None
    if state.oldest_at is not None:
        oldest_s = round((datetime.now(UTC) - state.oldest_at).total_seconds(), 1)
    return {"waiting": state.waiting, "oldest_s": oldest_s, "dead": state.dead}


@dataclass(frozen=True)
class Broker:
    """`newer_batches`: batches of visits that only a newer worker can read. `queues`: the length of each queue."""

    state: str
    worker: str
    newer_batches: int | None
    queues: dict[str, float] = field(default_factory=dict)


async def _broker(url: str) -> Broker:
    if url in ("", "none"):
        return Broker("none", "none", 0)
    redis = Redis.from_url(url, socket_timeout=CHECK_S, socket_connect_timeout=CHECK_S)
    try:
        async with asyncio.timeout(CHECK_S), redis.pipeline(transaction=False) as pipe:
            pipe.mget(HEARTBEAT, FORMER_HEARTBEAT)
            pipe.hlen(NEWER_BATCHES)
            for queue in Queue:
                pipe.llen(queue)
            heartbeats, newer, *lengths = await pipe.execute()
    except (RedisError, OSError, TimeoutError):
        return Broker("down", "unknown", None)
    finally:
        await redis.aclose()
    is_up = any(time.time() - float(beat) < HEARTBEAT_MAX_AGE_S for beat in heartbeats if beat)
    queues = {str(queue): float(length) for queue, length in zip(Queue, lengths, strict=True)}
    return Broker("up", "up" if is_up else "down", int(newer), queues)

"""/healthz: this process runs. /readyz: which parts are up or degraded, and counts of what was dropped. The same is
stored every half minute."""

import asyncio
import logging
import os
import shutil
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web
from redis.asyncio import Redis
from redis.exceptions import RedisError

from config.payment_variables import STANDIN_KEY, STANDIN_SECRET
from config.settings import Settings
from contracts.redis_keys import (
    BATCH_FAILURES,
    BATCHES_SINCE,
    CLAIMED_BATCHES,
    CLAIMED_SINCE,
    HEARTBEAT,
    HEARTBEAT_MAX_AGE_S,
    NEWER_BATCHES,
    UNKNOWN_KINDS,
)
from contracts.tasks import Queue
from domain.backlog import Backlog, count_backlog
from domain.errors import ServiceUnavailable
from domain.health import samples, upkeep
from domain.outbox.outbox_rows import TopicState
from host.app_keys import DATABASE, SETTINGS
from host.auth.secret_key import secret_key
from host.identity.provider import PROVIDER
from host.learning.lesson_files import UNSHOWN_LESSONS
from host.messaging.payment_gateway import HOST_GATEWAY
from host.messaging.rpc_client import RPC_CLIENT
from host.messaging.visit_queue import VISIT_QUEUE
from host.page_cache.memory import PAGE_CACHE
from host.rendering.assets import ASSETS
from host.rendering.ssr_client import SSR_CLIENT
from host.resilience.background_loop import BackgroundLoop, read_statuses, statuses
from host.resilience.loop_keys import LOOPS, SUPERVISOR
from host.search_log import SEARCH_LOG
from host.visits.crawler_watch import CRAWLER_WATCH
from host.visits.server_side import UNRECORDED_VISITS

log = logging.getLogger("coursefront.health")

CHECK_S = 0.5
HEALTHY = {"up", "idle", "none"}
# So long after the start of this process a part that has never answered is starting. Later it is as if it had failed.
START_S = 60.0
_UNANSWERED = {"worker": "down", "coupons": "broken off", "provider": "down", "loops": "failing"}
STARTED_AT = web.AppKey("started_at", float)
# Measures of one process, and of what all share.
_SAMPLED = (
    *("render_workers", "render_failures", "render_shed", "lessons_unshown", "batches_on_disk", "dead_letters"),
    *("jobs_waiting", "jobs_running", "jobs_stalled"),
    *("batches_waiting", "batches_claimed", "batches_failing", "batches_oldest_s"),
)


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
    broker = await _broker(app[SETTINGS].redis_url, app[STARTED_AT])
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
        "loops": _loops_state({loop["state"] for loop in loops.values()}),
        "audit": _audit_state(backlog),
    }
    counts: dict[str, int | float | None] = {
        "render_workers": renderers.ready,
        "render_failures": renderers.failures,
        "render_shed": renderers.shed,
        "visits_accepted": visit_queue.accepted,
        "visits_spooled": visit_queue.spooled,
        "visits_refused": visit_queue.refused,
        "crawls_unrecorded": app[UNRECORDED_VISITS].crawls,
        "crawlers_unnoted": app[CRAWLER_WATCH].dropped,
        "referral_links_unrecorded": app[UNRECORDED_VISITS].referral_links,
        "searches_unnoted": app[SEARCH_LOG].dropped,
        "lessons_unshown": app[UNSHOWN_LESSONS].count,
        "batches_on_disk": await asyncio.get_running_loop().run_in_executor(None, visit_queue.spooled_batches),
        "batches_broken": await asyncio.get_running_loop().run_in_executor(None, visit_queue.broken_batches),
        **broker.batches,
        "coupons_by_workers": app[RPC_CLIENT].by_worker,
        "coupons_in_place": app[RPC_CLIENT].inline,
        "payment_events_accepted": app[HOST_GATEWAY].events_accepted,
        "payment_events_refused": app[HOST_GATEWAY].events_refused,
        "dead_letters": None if backlog is None else backlog.dead_letters,
        "payment_findings": None if backlog is None else backlog.payment_findings,
        "jobs_waiting": None if backlog is None else backlog.jobs.waiting,
        "jobs_running": None if backlog is None else backlog.jobs.running,
        "jobs_stalled": None if backlog is None else backlog.jobs.stalled,
    }
    return Health(
        parts=parts if time.time() - app[STARTED_AT] < START_S else _after_the_start(parts),
        counts=counts,
        outbox=None if backlog is None else _outbox_counts(backlog),
        queues=broker.queues,
        loops=loops,
        page_cache=None if cache is None else dict(cache.counts()),
        is_ready=database == "up" or (cache is not None and not cache.is_empty),
    )


def _loops_state(states: set[str]) -> str:
    """One that is stopped has not begun yet, or has ended."""
    if "failing" in states:
        return "failing"
    return "starting" if "stopped" in states else "up"


def _after_the_start(parts: dict[str, str]) -> dict[str, str]:
    return {name: _UNANSWERED[name] if state == "starting" else state for name, state in parts.items()}


def _audit_state(backlog: Backlog | None) -> str:
    """The result of the last check of the chain of events: "none" before there was one, and while nobody can tell."""
    if backlog is None or backlog.audit is None:
        return "none"
    return "up" if backlog.audit.wrong is None else "wrong"


async def _loops(app: web.Application) -> dict[str, dict[str, Any]]:
    """Status by name of this process's loops, and of those of the supervisor that started it."""
    loops, folder = app[LOOPS], app[SETTINGS].var_dir
    supervisor = app.get(SUPERVISOR)
    if supervisor is None:
        return statuses(loops)
    of_supervisor = await asyncio.get_running_loop().run_in_executor(None, read_statuses, folder, supervisor)
    return {**statuses(loops), **of_supervisor}


async def _database(app: web.Application) -> tuple[str, Backlog | None]:
    try:
        return "up", await app[DATABASE].read(count_backlog, datetime.now(UTC))
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
    """`batches`: counts of batches of visits. `queues`: the length of each queue."""

    state: str
    worker: str
    batches: dict[str, int | float | None]
    queues: dict[str, float] = field(default_factory=dict)


# The sorted sets of batches that no worker has stored: those that wait, and those claimed, by the times of the claim
# and of sending.
_UNSTORED = (BATCHES_SINCE, CLAIMED_BATCHES, CLAIMED_SINCE)
_COUNTS = ("waiting", "claimed", "oldest_s", "failing", "for_newer_workers")
_NO_BATCHES: dict[str, int | float | None] = {f"batches_{name}": 0 for name in _COUNTS}


async def _broker(url: str, started_at: float) -> Broker:
    """`started_at`: of this process. A worker is starting until the first heartbeat since then."""
    if url in ("", "none"):
        return Broker("none", "none", _NO_BATCHES)
    redis = Redis.from_url(url, socket_timeout=CHECK_S, socket_connect_timeout=CHECK_S)
    try:
        async with asyncio.timeout(CHECK_S), redis.pipeline(transaction=False) as pipe:
            pipe.get(HEARTBEAT)
            for key in (NEWER_BATCHES, UNKNOWN_KINDS, BATCH_FAILURES):
                pipe.hlen(key)
            for key in _UNSTORED:
                pipe.zcard(key)
                pipe.zrange(key, 0, 0, withscores=True)
            for queue in Queue:
                pipe.llen(queue)
            heartbeat, newer, unknown, failing, *rest = await pipe.execute()
    except (RedisError, OSError, TimeoutError):
        return Broker("down", "unknown", dict.fromkeys(_NO_BATCHES))
    finally:
        await redis.aclose()
    last_beat = float(heartbeat or 0)
    worker = "up" if time.time() - last_beat < HEARTBEAT_MAX_AGE_S else "down"
    if worker == "down" and last_beat < started_at:
        worker = "starting"
    unstored, lengths = rest[: 2 * len(_UNSTORED)], rest[2 * len(_UNSTORED) :]
    queues = {str(queue): float(length) for queue, length in zip(Queue, lengths, strict=True)}
    batches = {**_unstored(unstored), "batches_failing": failing, "batches_for_newer_workers": newer + unknown}
    return Broker("up", worker, batches, queues)


def _unstored(found: list[Any]) -> dict[str, int | float | None]:
    """`found`: for each of _UNSTORED its length and its oldest entry. A message does not say how many batches wait."""
    waiting, claimed, _ = found[::2]
    times = [score for oldest in found[1::2] for _, score in oldest]
    oldest_s = round(max(0.0, time.time() - min(times)), 1) if times else 0
    return {"batches_waiting": waiting, "batches_claimed": claimed, "batches_oldest_s": oldest_s}


class HealthSampler:
    """Stores the state of this process every half minute, for the page that shows the last day (domain/health)."""

    def __init__(self, app: web.Application):
        self._app = app
        self._process = f"{socket.gethostname()}:{os.getpid()}"
        self._has_noted_keys = False
        self.loop = BackgroundLoop("sampling the state", self._iterate)

    async def _iterate(self) -> None:
        # At the same moments in every process, so that their samples belong together.
        await asyncio.sleep(samples.EVERY_S - time.time() % samples.EVERY_S)
        await self._sample()
        if not self._has_noted_keys:
            await self._note_keys()

    async def _note_keys(self) -> None:
        """Once in each process: secrets change with its settings alone."""
        db, keys = self._app[DATABASE], _keys(self._app[SETTINGS])
        try:
            if names := await db.read(upkeep.new_keys, keys):
                await db.write(upkeep.note_keys, keys, names, datetime.now(UTC))
        except ServiceUnavailable:
            return
        self._has_noted_keys = True

    async def _sample(self) -> None:
        values, at = sampled(await gather(self._app)), datetime.now(UTC)
        values["disk_free"] = await asyncio.to_thread(_free_share, self._app[SETTINGS].var_dir)
        try:
            await self._app[DATABASE].write(samples.store, self._process, values, at)
        except ServiceUnavailable:
            log.info("a sample of the state is lost: the database does not answer")

    async def lifespan(self, _app: web.Application) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()


def _keys(settings: Settings) -> dict[str, str]:
    """The secrets whose age matters, by their setting; those of the stand-ins are none."""
    keys = {
        "SECRET_KEY": secret_key(settings),
        "OIDC_CLIENT_SECRET": settings.oidc_client_secret,
        "PAYMENTS_KEY": settings.payments_key,
        "PAYMENTS_WEBHOOK_SECRETS": " ".join(settings.payments_webhook_secrets),
        "CERTIFICATE_KEY": settings.certificate_key,
    }
    return {name: value for name, value in keys.items() if value not in (STANDIN_KEY, STANDIN_SECRET)}


def sample_state(app: web.Application) -> None:
    """Let a process take samples as long as it runs, from now on."""
    app[STARTED_AT] = time.time()
    sampler = HealthSampler(app)
    app[LOOPS].append(sampler.loop)
    app.cleanup_ctx.append(sampler.lifespan)


def sampled(state: Health) -> dict[str, Any]:
    """What is stored of a state: parts, and numbers by name."""
    values: dict[str, Any] = {"parts": state.parts, **{name: state.counts[name] for name in _SAMPLED}}
    cache = state.page_cache or {}
    values |= {"cache_hits": cache.get("hits"), "cache_misses": cache.get("misses")}
    outbox = (state.outbox or {}).values()
    ages = [topic["oldest_s"] for topic in outbox if topic["oldest_s"] is not None]
    values |= {
        "outbox_waiting": sum(topic["waiting"] or 0 for topic in outbox),
        "outbox_oldest_s": max(ages, default=0),
    }
    return {**values, "queued": sum(state.queues.values()), "queues": state.queues}


def _free_share(folder: Path) -> float | None:
    """Percent of its disk that is free."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    return round(usage.free / usage.total * 100, 1)

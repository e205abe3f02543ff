"""Visits at a steady rate while everything behind them fails in turn, on either database (invariant 12)."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from statistics import quantiles

import psutil
from redis.exceptions import RedisError

from contracts.redis_keys import CLAIMED_BATCHES
from tests.support.faults.visits import (
    VISIT_WORKER,
    Clients,
    StoredComparison,
    kill,
    lock_database,
    wait_until_exact,
)
from tests.support.servers import MariaServer
from tests.support.site import Site
from tests.support.waiting import until

# A second, for so many seconds: the database is away for half of them.
RATE, SECONDS, AWAY_S = 400, 40, 20.0
# Enough connections for the rate while each visit waits for its batch, and for a database that is away.
CLIENTS = 64
# A worker that has just started works only when a batch comes.
AT_WORK_S = 5.0


@dataclass(frozen=True)
class EveryFault:
    """`at_work`: workers killed while they had claimed batches, of those killed; `settled_s`: from the last fault, or
    the last post if that was later, until the stored visits were exactly the accepted ones."""

    stored: StoredComparison
    accepted: int
    dead_letters: int
    at_work: tuple[int, int]
    p95_ms: float
    settled_s: float

    @property
    def is_exact(self) -> bool:
        return self.stored.is_exact and not self.dead_letters

    def __str__(self) -> str:
        lost, twice, missing = len(self.stored.lost), len(self.stored.twice), len(self.stored.unknown)
        return (
            f"{self.accepted:,} accepted, {lost} lost, {twice} twice, {missing} missing, {self.dead_letters} dead"
            f" letters; {self.at_work[0]} of {self.at_work[1]} workers killed at work; answer p95 {self.p95_ms:.0f} ms;"
            f" {'all there' if self.stored.is_exact else 'compared'} {self.settled_s:.1f} s after the last"
        )


@dataclass
class _WorkerKills:
    """Each is of a worker that has started since the one before."""

    killed: set[int] = field(default_factory=set)
    at_work: int = 0

    async def kill(self, clients: Clients) -> None:
        pid = await until(lambda: self._new_worker(clients.site), 90)
        with contextlib.suppress(AssertionError):
            await until(lambda: _has_claimed(clients.site), AT_WORK_S)
            self.at_work += 1
        self.killed.add(pid)
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()

    def _new_worker(self, site: Site) -> int | None:
        pid = next(iter(site.pids()["worker"][VISIT_WORKER:]), None)
        return pid if pid not in self.killed and pid and psutil.pid_exists(pid) else None


def _has_claimed(site: Site) -> bool:
    try:
        with contextlib.closing(site.redis()) as redis:
            return bool(redis.zcard(CLAIMED_BATCHES))
    except (RedisError, psutil.Error, OSError, IndexError):
        # It was killed a moment before.
        return False


async def _stop_host(clients: Clients) -> None:
    clients.site.signal("host", signal.SIGTERM)


@contextlib.asynccontextmanager
async def _database_away(site: Site, server: MariaServer | None) -> AsyncIterator[None]:
    if server is None:
        async with lock_database(site):
            yield
        return
    await asyncio.to_thread(server.stop)
    yield
    await asyncio.to_thread(server.start)


async def post_under_every_fault(
    site: Site, server: MariaServer | None = None, seconds: int = SECONDS, settle_s: float = 90.0
) -> EveryFault:
    """`server`: that of the database, without one it is SQLite. Eight workers and Redis, twice, are killed; the host is
    told to stop; the database is away for half of the time."""
    clients, workers = Clients(site, RATE * seconds, CLIENTS, RATE), _WorkerKills()
    worker, redis = workers.kill, partial(kill, kind="redis")
    faults = [worker, worker, redis, worker, worker, worker, _stop_host, worker, worker, redis, worker]

    async def away() -> None:
        await clients.wait_for_share(0.25)
        async with _database_away(site, server):
            await asyncio.sleep(AWAY_S * seconds / SECONDS)

    async with asyncio.TaskGroup() as group:
        group.create_task(clients.run())
        group.create_task(away())
        for number, fault in enumerate(faults, 1):
            await clients.wait_for_share(number / (len(faults) + 1))
            await fault(clients)
    loop = asyncio.get_running_loop()
    ended = loop.time()
    stored = await wait_until_exact(clients, settle_s)
    return EveryFault(
        stored,
        clients.posted.accepted,
        site.query("SELECT COUNT(*) FROM dead_letters")[0][0],
        (workers.at_work, len(workers.killed)),
        quantiles(clients.answered_s, n=20)[18] * 1000,
        loop.time() - ended,
    )

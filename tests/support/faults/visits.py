"""Visits while workers, Redis and the host are killed or frozen: accepted visits are stored exactly once."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from uuid import uuid4

import aiohttp
from redis import Redis

from contracts.redis_keys import BATCHES_SINCE
from contracts.tasks import Queue, Task
from tests.support.site import Site
from tests.support.waiting import until

# A client without a response in this time posts the same again, as the browser does.
ANSWER_S = 8.0
AGAIN_S = 0.3
# The supervisor starts it before the one for what takes long, which stores no visits.
VISIT_WORKER = 0
# Where Celery keeps messages that a worker has received and not acknowledged.
UNACKNOWLEDGED, STORE_BATCHES = "unacked", Task.STORE_VISIT_BATCHES.encode()


@dataclass
class Posted:
    """The visits that clients sent, and those that the site accepted."""

    events: set[str] = field(default_factory=set)
    accepted_events: set[str] = field(default_factory=set)
    accepted_urls: set[str] = field(default_factory=set)

    @property
    def accepted(self) -> int:
        return len(self.accepted_events) + len(self.accepted_urls)


@dataclass(frozen=True)
class StoredComparison:
    """The stored visits compared with the accepted ones; all three sets must be empty."""

    lost: set[str]
    twice: set[str]
    unknown: set[str]

    @property
    def is_exact(self) -> bool:
        return not (self.lost or self.twice or self.unknown)


class Clients:
    """Post `total` visits from several connections; every second one carries an EventID. `rate`: at most so many a
    second, if not as fast as the site answers."""

    def __init__(self, site: Site, total: int, clients: int = 8, rate: float | None = None):
        self.site, self.total, self.clients, self._rate = site, total, clients, rate
        self.posted, self.session = Posted(), str(uuid4())
        # How long each accepted post took.
        self.answered_s: list[float] = []
        self._numbers = iter(range(total))
        self._accepted_event, self._may_post = asyncio.Event(), asyncio.Event()
        self._may_post.set()

    async def run(self) -> None:
        timeout = aiohttp.ClientTimeout(total=ANSWER_S)
        connector = aiohttp.TCPConnector(limit=self.clients)
        async with aiohttp.ClientSession(self.site.url, timeout=timeout, connector=connector) as http:
            began = time.monotonic()
            await asyncio.gather(*(self._client(http, began) for _ in range(self.clients)))

    async def wait_for_share(self, share: float) -> None:
        """Waits until this share of all visits is accepted."""
        while self.posted.accepted < share * self.total:
            self._accepted_event.clear()
            await asyncio.wait_for(self._accepted_event.wait(), 60)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """No client begins another post during the block, so that posts are left for what follows."""
        self._may_post.clear()
        try:
            yield
        finally:
            self._may_post.set()

    async def _client(self, http: aiohttp.ClientSession, began: float) -> None:
        for number in self._numbers:
            if self._rate:
                await asyncio.sleep(began + number / self._rate - time.monotonic())
            await self._may_post.wait()
            url = f"/shop?n={number}-{uuid4().hex}"
            body: dict[str, object] = {"SessionID": self.session, "AAUserID": 0, "Url": url}
            if number % 2:
                await self._with_event(http, body | {"EventID": str(uuid4())})
            elif await self._is_taken(http, body):
                self.posted.accepted_urls.add(url)
            self._accepted_event.set()

    async def _with_event(self, http: aiohttp.ClientSession, body: dict[str, object]) -> None:
        """Posts until it is accepted: repeats with the same EventID count once."""
        event = str(body["EventID"])
        self.posted.events.add(event)
        while not await self._is_taken(http, body):
            await asyncio.sleep(AGAIN_S)
        self.posted.accepted_events.add(event)

    async def _is_taken(self, http: aiohttp.ClientSession, body: dict[str, object]) -> bool:
        began = time.monotonic()
        try:
            async with http.post("/api/SetAAUserTraceLog", json=body) as answer:
                await answer.read()
        except (aiohttp.ClientError, TimeoutError, ConnectionError):
            return False
        if answer.status == 202:
            self.answered_s.append(time.monotonic() - began)
        return answer.status == 202


def compare(clients: Clients) -> StoredComparison:
    """Compares exactly, except for visits without EventID and without a response, which may be stored or not."""
    rows = clients.site.query("SELECT event_id, url FROM visits WHERE session_id = ?", clients.session)
    posted = clients.posted
    events, urls = Counter(row[0] for row in rows), Counter(row[1] for row in rows)
    lost = (posted.accepted_events - set(events)) | (posted.accepted_urls - set(urls))
    twice = {value for value, count in (events + urls).items() if count > 1}
    with_event = [row for row in rows if row[0] in posted.events]
    return StoredComparison(lost, twice, posted.events - {row[0] for row in with_event})


async def wait_until_exact(clients: Clients, deadline_s: float) -> StoredComparison:
    """The comparison as soon as it is exact, else that at the deadline."""

    async def exact() -> bool:
        return compare(clients).is_exact

    with contextlib.suppress(AssertionError):
        await until(exact, deadline_s, 0.2)
    return compare(clients)


async def compare_when_idle(clients: Clients) -> StoredComparison:
    """The comparison as soon as nothing is left that could store another visit.

    Workers take batches in order: once a later visit is stored, every earlier batch is stored, claimed or lost.
    """
    last = Clients(clients.site, 2)
    await last.run()
    with contextlib.closing(clients.site.redis()) as redis:
        await until(lambda: compare(last).is_exact and not _is_delivering(redis), 60, 0.05)
    return compare(clients)


def _is_delivering(redis: Redis) -> bool:
    return bool(redis.llen(Queue.VISIT_BATCHES) or redis.hlen(UNACKNOWLEDGED) or redis.zcard(BATCHES_SINCE))


@contextlib.asynccontextmanager
async def lock_database(site: Site) -> AsyncIterator[None]:
    """Locks the database for writing during a block, so that workers cannot store their batches."""
    path = site.var_dir / "coursefront.db"
    connection = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
    try:
        await asyncio.to_thread(connection.execute, "BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


Fault = Callable[[Clients], Awaitable[None]]


async def kill_worker_at_work(clients: Clients) -> None:
    """Kills the worker of visits when it has received a batch and not stored it."""
    async with lock_database(clients.site):
        with clients.paused(), contextlib.closing(clients.site.redis()) as redis:
            await until(lambda: any(STORE_BATCHES in message for message in redis.hvals(UNACKNOWLEDGED)), 60)
        clients.site.signal("worker", signal.SIGKILL, VISIT_WORKER)


async def freeze(clients: Clients, kind: str, seconds: float) -> None:
    frozen = clients.site.signal(kind, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    _wake(frozen)


async def freeze_redis_until_spooled(clients: Clients) -> None:
    """Freezes Redis until the host has written a batch to its spool."""
    frozen = clients.site.signal("redis", signal.SIGSTOP)
    await until(lambda: any((clients.site.var_dir / "spool").iterdir()), 60)
    _wake(frozen)


def _wake(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


async def freeze_and_kill_worker(clients: Clients) -> None:
    """Freezes a worker that waits for a message, and kills it when Redis has sent it a batch: it never handles that.

    A batch that waits in the list is the second: the first went to the frozen worker.
    """
    with contextlib.closing(clients.site.redis()) as redis:
        with clients.paused():
            await until(lambda: redis.info("clients")["blocked_clients"], 60)
            clients.site.signal("worker", signal.SIGSTOP, VISIT_WORKER)
        await until(lambda: redis.llen(Queue.VISIT_BATCHES), 60)
    clients.site.signal("worker", signal.SIGKILL, VISIT_WORKER)


async def kill_host_at_work(clients: Clients, frozen_s: float = 0.3) -> None:
    """Kills the host while Redis is frozen: visits received meanwhile exist only in its memory."""
    frozen = clients.site.signal("redis", signal.SIGSTOP)
    await asyncio.sleep(frozen_s)
    clients.site.signal("host", signal.SIGKILL)
    _wake(frozen)


async def kill(clients: Clients, kind: str) -> None:
    clients.site.signal(kind, signal.SIGKILL)


async def post_under_faults(
    site: Site, total: int, faults: list[Fault], settle_s: float
) -> tuple[Clients, StoredComparison, float]:
    """Posts `total` visits with the faults in between. Returns the comparison and the seconds until it was exact."""
    clients = Clients(site, total)
    posting = asyncio.create_task(clients.run())
    for number, fault in enumerate(faults, 1):
        await clients.wait_for_share(number / (len(faults) + 1))
        await fault(clients)
    await posting
    ended = time.monotonic()
    comparison = await wait_until_exact(clients, settle_s)
    return clients, comparison, time.monotonic() - ended

"""Visits while workers die, Redis stands still and the host is killed: what was accepted is stored, and once."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from uuid import uuid4

import aiohttp

from tests.site import Site
from tests.waiting import until

# A client that got no answer in this time posts the same again, as the browser does.
ANSWER_S = 8.0
AGAIN_S = 0.3
Fault = Callable[[], Awaitable[None]]


@dataclass
class Posted:
    """What the clients sent and what the site said it had taken."""

    events: set[str] = field(default_factory=set)
    accepted_events: set[str] = field(default_factory=set)
    accepted_urls: set[str] = field(default_factory=set)

    @property
    def accepted(self) -> int:
        return len(self.accepted_events) + len(self.accepted_urls)


@dataclass(frozen=True)
class Kept:
    """What the records hold against what was accepted; all three are empty when the promise was held."""

    lost: set[str]
    twice: set[str]
    unknown: set[str]

    @property
    def is_exact(self) -> bool:
        return not (self.lost or self.twice or self.unknown)


class Clients:
    """Post `total` visits from several connections; every second one carries an EventID."""

    def __init__(self, site: Site, total: int, clients: int = 8):
        self.site, self.total, self.clients = site, total, clients
        self.posted, self.session = Posted(), str(uuid4())
        self._numbers = iter(range(total))
        self._moved = asyncio.Event()

    async def run(self) -> None:
        timeout = aiohttp.ClientTimeout(total=ANSWER_S)
        async with aiohttp.ClientSession(self.site.url, timeout=timeout) as http:
            await asyncio.gather(*(self._client(http) for _ in range(self.clients)))

    async def reached(self, share: float) -> None:
        """Returns when this share of all visits has been accepted."""
        while self.posted.accepted < share * self.total:
            self._moved.clear()
            await asyncio.wait_for(self._moved.wait(), 60)

    async def _client(self, http: aiohttp.ClientSession) -> None:
        for number in self._numbers:
            url = f"/shop?n={number}-{uuid4().hex}"
            body: dict[str, object] = {"SessionID": self.session, "AAUserID": 0, "Url": url}
            if number % 2:
                await self._with_event(http, body | {"EventID": str(uuid4())})
            elif await _is_taken(http, body):
                self.posted.accepted_urls.add(url)
            self._moved.set()

    async def _with_event(self, http: aiohttp.ClientSession, body: dict[str, object]) -> None:
        """Until it is taken: a resend under the same EventID counts once."""
        event = str(body["EventID"])
        self.posted.events.add(event)
        while not await _is_taken(http, body):
            await asyncio.sleep(AGAIN_S)
        self.posted.accepted_events.add(event)


async def _is_taken(http: aiohttp.ClientSession, body: dict[str, object]) -> bool:
    try:
        async with http.post("/api/SetAAUserTraceLog", json=body) as answer:
            await answer.read()
            return answer.status == 202
    except (aiohttp.ClientError, TimeoutError, ConnectionError):
        return False


def compare(clients: Clients) -> Kept:
    """Visits without EventID that got no answer may be there or not; everything else is exact."""
    found = clients.site.query("SELECT event_id, url FROM visits WHERE session_id = ?", clients.session)
    posted = clients.posted
    events, urls = Counter(row[0] for row in found), Counter(row[1] for row in found)
    lost = (posted.accepted_events - set(events)) | (posted.accepted_urls - set(urls))
    twice = {one for one, count in (events + urls).items() if count > 1}
    with_event = [row for row in found if row[0] in posted.events]
    return Kept(lost, twice, posted.events - {row[0] for row in with_event})


async def settled(clients: Clients, deadline_s: float) -> Kept:
    """The comparison as soon as nothing is missing, else as it stands at the deadline."""

    async def exact() -> bool:
        return compare(clients).is_exact

    with contextlib.suppress(AssertionError):
        await until(exact, deadline_s, 0.2)
    return compare(clients)


@contextlib.asynccontextmanager
async def records_held(site: Site) -> AsyncIterator[None]:
    """Nobody else can write: what workers took stays in their hands for as long as the block lasts."""
    path = site.var_dir / "coursefront.db"
    records = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
    try:
        await asyncio.to_thread(records.execute, "BEGIN IMMEDIATE")
        yield
        records.execute("ROLLBACK")
    finally:
        records.close()


async def kill_worker_at_work(site: Site, held_s: float = 0.5) -> None:
    """kill -9 of a worker that has taken batches and not stored them."""
    async with records_held(site):
        await asyncio.sleep(held_s)
        site.signal("worker", signal.SIGKILL)


async def freeze(site: Site, kind: str, seconds: float) -> None:
    frozen = site.signal(kind, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    _wake(frozen)


def _wake(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


async def freeze_and_kill_worker(site: Site, frozen_s: float = 0.4) -> None:
    """Redis hands a batch to a worker that is frozen and then killed: the worker never saw it."""
    site.signal("worker", signal.SIGSTOP)
    await asyncio.sleep(frozen_s)
    site.signal("worker", signal.SIGKILL)


async def kill_host_at_work(site: Site, frozen_s: float = 0.3) -> None:
    """kill -9 of the host while Redis keeps it waiting: what it was told meanwhile is nowhere but in its memory."""
    frozen = site.signal("redis", signal.SIGSTOP)
    await asyncio.sleep(frozen_s)
    site.signal("host", signal.SIGKILL)
    _wake(frozen)


async def kill(site: Site, kind: str) -> None:
    site.signal(kind, signal.SIGKILL)


async def under_faults(site: Site, total: int, faults: list[Fault], settle_s: float) -> tuple[Clients, Kept, float]:
    """Posts `total` visits, spreads the faults over them; returns the comparison and how long it took to settle."""
    clients = Clients(site, total)
    posting = asyncio.create_task(clients.run())
    for number, fault in enumerate(faults, 1):
        await clients.reached(number / (len(faults) + 1))
        await fault()
    await posting
    ended = time.monotonic()
    kept = await settled(clients, settle_s)
    return clients, kept, time.monotonic() - ended

"""Price changes under load: how soon the new price is served everywhere, and never together with the old one.

The price of one course is 4321.10, 4321.11 and so on: in text, in structured data and in cents, its last two digits
identify it.
"""

import asyncio
import contextlib
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import aiohttp

from domain.database.database import Database, database_url
from domain.publishing import prices as publishing_prices
from tests.support.faults.pages import course_path
from tests.support.shops import USD
from tests.support.site import Site
from tests.support.waiting import until

MARK = re.compile(rb"4,?321\.?([1-9]\d)(?!\d)")
FIRST = 10
# A change must be in the page, the structured data and the sitemap within this.
WITHIN_S = 1.0
SITEMAPS_A_SECOND = 10
# So many responses in a row come from every host process and hold every page and the sitemap.
SETTLED = 100


@dataclass(frozen=True)
class Observation:
    """One response. `marks`: the last digits of every price in it; `dated`: the course's lastmod, for a sitemap."""

    path: str
    began: float
    ended: float
    status: int
    cache: str
    marks: frozenset[int] = frozenset()
    dated: datetime | None = None


@dataclass(frozen=True)
class Change:
    """One price change. `began` and `ended` by time.monotonic(), `second` by the wall clock."""

    mark: int
    began: float
    ended: float
    second: datetime

    def is_in(self, observation: Observation) -> bool:
        return observation.marks == {self.mark} if observation.dated is None else observation.dated >= self.second


@dataclass
class PriceObservations:
    """All responses while prices changed."""

    answers: list[Observation] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    processes: dict[int, int] = field(default_factory=dict)

    def is_settled(self) -> bool:
        """Whether the latest SETTLED responses all have the latest price."""
        latest = self.answers[-SETTLED:]
        return len(latest) == SETTLED and all(self.changes[-1].is_in(observation) for observation in latest)

    def flaws(self, within_s: float = WITHIN_S) -> list[str]:
        flaws = [
            f"{observation.path}: status {observation.status}"
            for observation in self.answers
            if observation.status != 200
        ]
        pages = [observation for observation in self.answers if observation.dated is None and observation.status == 200]
        flaws += [
            f"{observation.path}: prices {sorted(observation.marks)} in one answer"
            for observation in pages
            if len(observation.marks) != 1
        ]
        return flaws + self._late(within_s)

    def _turns(self) -> Iterator[tuple[Change, float, list[Observation]]]:
        """Each change, the time of its commit, and the responses begun between that and the next change.

        Data for client navigation is not cached: its first response with the new price gives the time of the commit.
        """
        for number, change in enumerate(self.changes, 1):
            end = self.changes[number].began if number < len(self.changes) else math.inf
            seen_at = (observation.ended for observation in self.answers if observation.marks == {change.mark})
            committed = min(seen_at, default=change.ended)
            yield (
                change,
                committed,
                [
                    observation
                    for observation in self.answers
                    if committed < observation.began and observation.ended <= end
                ],
            )

    def _late(self, within_s: float) -> list[str]:
        return [
            f"{observation.path}: still {sorted(observation.marks)} "
            f"{observation.began - committed:.2f} s after {change.mark}"
            for change, committed, answers in self._turns()
            for observation in answers
            if observation.began > committed + within_s and not change.is_in(observation)
        ]

    def slowest_s(self, is_sitemap: bool) -> float:
        """Seconds after a commit in which a response with the old price was still begun; 0 without one."""
        late = [
            observation.began - committed
            for change, committed, answers in self._turns()
            for observation in answers
            if (observation.dated is not None) is is_sitemap
            and observation.status == 200
            and not change.is_in(observation)
        ]
        return max(late, default=0.0)


async def observe_changes(
    site: Site, changes: int, rate: int = 200, pause_s: float = 2.0, *, until_settled: bool = False, hosts: int = 1
) -> PriceObservations:
    """Changes the price `changes` times under `rate` requests a second on new connections.

    Each price stands for `pause_s`; with `until_settled` only until the latest SETTLED responses all have it.
    """
    observations = PriceObservations()
    connector = aiohttp.TCPConnector(force_close=True, limit=0)
    timeout = aiohttp.ClientTimeout(total=20)
    async with aiohttp.ClientSession(site.url, connector=connector, timeout=timeout) as http:
        course = await course_path(http)
        slug = course.partition("course=")[2]
        paths = [course, "/shop?sort=price-high", f"/data{course}"]
        change = await set_price(site, slug, FIRST)
        await until(lambda: _everywhere(http, paths, FIRST), 30)
        loading = [
            asyncio.create_task(_steadily(rate, lambda number: get(http, paths[number % len(paths)], observations))),
            asyncio.create_task(_steadily(SITEMAPS_A_SECOND, lambda _: get(http, _SITEMAP, observations, slug))),
        ]
        try:
            for number in range(1, changes + 1):
                await _next_second(change)
                change = await set_price(site, slug, FIRST + number)
                observations.changes.append(change)
                with contextlib.suppress(AssertionError):
                    await until(lambda: until_settled and observations.is_settled(), pause_s)
            observations.processes = await _hits(http, hosts)
        finally:
            for task in loading:
                task.cancel()
            await asyncio.gather(*loading, return_exceptions=True)
    return observations


async def _next_second(change: Change) -> None:
    """Sitemaps date to the second: two changes must not share one."""
    await until(lambda: datetime.now(UTC) >= change.second + timedelta(seconds=1))


_SITEMAP = "/sitemaps/courses-0.xml"


async def set_price(site: Site, slug: str, mark: int) -> Change:
    """Changes the price as the command does, without starting a process."""
    second, began = datetime.now(UTC).replace(microsecond=0), time.monotonic()
    await asyncio.to_thread(_write_price, site, slug, Decimal(f"4321.{mark}"))
    return Change(mark, began, time.monotonic(), second)


def _write_price(site: Site, slug: str, price: Decimal) -> None:
    database = Database(database_url(None, site.var_dir), deadline_s=60, busy_ms=60_000)
    try:
        with database.write_session() as session:
            publishing_prices.change_price(session, slug, price, None, datetime.now(UTC), USD)
    finally:
        database.engine.dispose()


async def _everywhere(http: aiohttp.ClientSession, paths: list[str], mark: int) -> bool:
    """Whether ten new connections per path all get this price, which almost surely covers every process."""
    seen = PriceObservations()
    await asyncio.gather(*(get(http, path, seen) for path in paths * 10))
    return all(one.marks == {mark} for one in seen.answers)


async def _steadily(rate: int, send: Callable[[int], Awaitable[None]]) -> None:
    """Sends at a fixed rate, however slow the responses are."""
    begin, number = time.monotonic(), 0
    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(_awaited(send(number)))
            number += 1
            await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))


async def _awaited(sending: Awaitable[None]) -> None:
    await sending


async def get(http: aiohttp.ClientSession, path: str, observations: PriceObservations, dated_slug: str = "") -> None:
    began = time.monotonic()
    try:
        async with http.get(path) as answer:
            body = await answer.read()
            status, cache = answer.status, answer.headers.get("X-Cache", "")
    except (aiohttp.ClientError, TimeoutError) as error:
        body, status, cache = repr(error).encode(), 0, ""
    dated = _dated(body, dated_slug) if dated_slug and status == 200 else None
    marks = frozenset(int(mark) for mark in MARK.findall(body))
    observations.answers.append(Observation(path, began, time.monotonic(), status, cache, marks, dated))


def _dated(sitemap: bytes, slug: str) -> datetime:
    match = re.search(rf"course={re.escape(slug)}</loc>\s*<lastmod>([^<]+)", sitemap.decode())
    assert match is not None, f"the sitemap does not date {slug}"
    return datetime.fromisoformat(match[1])


async def _hits(http: aiohttp.ClientSession, hosts: int) -> dict[int, int]:
    """Cache hits by host process id, read on new connections until each of `hosts` has answered, or for 30 s: on a busy
    machine one of them may accept dozens of connections in turn."""
    hits: dict[int, int] = {}
    began = time.monotonic()
    while len(hits) < hosts and time.monotonic() < began + 30:
        async with http.get("/readyz") as answer:
            status = await answer.json()
        hits[status["process"]] = (status["page_cache"] or {"hits": 0})["hits"]
    return hits

"""Prices that change under load: how soon the new one stands everywhere, and that it never stands beside the old.

The price of one course is 4321.10, 4321.11 and so on: wherever it stands in an answer, as text, as structured data or
in cents, it can be told by its last two digits.
"""

import asyncio
import math
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import aiohttp

from bench.faults.pages import course_path
from host.settings import ROOT
from tests.site import Site
from tests.waiting import until

MARK = re.compile(rb"4,?321\.?([1-9]\d)(?!\d)")
FIRST = 10
# Issue: a change is on the page, in the structured data and in the sitemap within this.
WITHIN_S = 1.0
SITEMAPS_A_SECOND = 10


@dataclass(frozen=True)
class Answer:
    """`marks`: last digits of every price in it; `dated`: the course's time of change, for a sitemap."""

    path: str
    began: float
    ended: float
    status: int
    cache: str
    marks: frozenset[int] = frozenset()
    dated: datetime | None = None


@dataclass(frozen=True)
class Change:
    """One price. The command began and ended, by time.monotonic(); `second` is the wall clock's when it began."""

    mark: int
    began: float
    ended: float
    second: datetime

    def is_in(self, one: Answer) -> bool:
        return one.marks == {self.mark} if one.dated is None else one.dated >= self.second


@dataclass
class Watched:
    """Everything that was answered while prices changed."""

    answers: list[Answer] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    processes: dict[int, int] = field(default_factory=dict)

    def flaws(self) -> list[str]:
        found = [f"{one.path}: status {one.status}" for one in self.answers if one.status != 200]
        pages = [one for one in self.answers if one.dated is None and one.status == 200]
        found += [f"{one.path}: prices {sorted(one.marks)} in one answer" for one in pages if len(one.marks) != 1]
        return found + self._late()

    def _turns(self) -> Iterator[tuple[Change, float, list[Answer]]]:
        """Each change, when it was committed, and what was begun between that and the next.

        Data for client navigation comes straight from the records: the first to have the price tells the time.
        """
        for number, change in enumerate(self.changes, 1):
            end = self.changes[number].began if number < len(self.changes) else math.inf
            told = (one.ended for one in self.answers if one.marks == {change.mark})
            committed = min(told, default=change.ended)
            yield change, committed, [one for one in self.answers if committed < one.began and one.ended <= end]

    def _late(self) -> list[str]:
        return [
            f"{one.path}: still {sorted(one.marks)} {one.began - committed:.2f} s after {change.mark}"
            for change, committed, answers in self._turns()
            for one in answers
            if one.began > committed + WITHIN_S and not change.is_in(one)
        ]

    def slowest_s(self, is_sitemap: bool) -> float:
        """How long after a commit an answer that had not heard of it was still begun; 0 when none was."""
        late = [
            one.began - committed
            for change, committed, answers in self._turns()
            for one in answers
            if (one.dated is not None) is is_sitemap and one.status == 200 and not change.is_in(one)
        ]
        return max(late, default=0.0)


async def watched(site: Site, changes: int, rate: int = 200, pause_s: float = 2.0) -> Watched:
    """`changes` prices one after the other, `pause_s` apart, under `rate` requests a second on fresh connections."""
    seen = Watched()
    connector = aiohttp.TCPConnector(force_close=True, limit=0)
    timeout = aiohttp.ClientTimeout(total=20)
    async with aiohttp.ClientSession(site.url, connector=connector, timeout=timeout) as http:
        course = await course_path(http)
        slug = course.partition("course=")[2]
        paths = [course, "/shop?sort=price-high", f"/data{course}"]
        await set_price(site, slug, FIRST)
        await until(lambda: _everywhere(http, paths, FIRST), 10)
        loading = [
            asyncio.create_task(_steadily(rate, lambda number: ask(http, paths[number % len(paths)], seen))),
            asyncio.create_task(_steadily(SITEMAPS_A_SECOND, lambda _: ask(http, _SITEMAP, seen, slug))),
        ]
        try:
            # Sitemaps date to the second: two changes must not share one.
            await asyncio.sleep(1.0)
            for number in range(1, changes + 1):
                seen.changes.append(await set_price(site, slug, FIRST + number))
                await asyncio.sleep(pause_s)
            seen.processes = await _hits(http)
        finally:
            for one in loading:
                one.cancel()
            await asyncio.gather(*loading, return_exceptions=True)
    return seen


_SITEMAP = "/sitemaps/courses-0.xml"


async def set_price(site: Site, slug: str, mark: int) -> Change:
    words = [sys.executable, "-m", "host", "price", slug, f"4321.{mark}", "--sale", "none"]
    second, began = datetime.now(UTC).replace(microsecond=0), time.monotonic()
    made = await asyncio.to_thread(
        subprocess.run, words, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return Change(mark, began, time.monotonic(), second)


async def _everywhere(http: aiohttp.ClientSession, paths: list[str], mark: int) -> bool:
    """Whether every path has this price on some ten fresh connections: on every process, as good as surely."""
    seen = Watched()
    await asyncio.gather(*(ask(http, path, seen) for path in paths * 10))
    return all(one.marks == {mark} for one in seen.answers)


async def _steadily(rate: int, send: Callable[[int], Awaitable[None]]) -> None:
    """Open loop: what is slow does not slow the sender down."""
    begin, number = time.monotonic(), 0
    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(_awaited(send(number)))
            number += 1
            await asyncio.sleep(max(0.0, begin + number / rate - time.monotonic()))


async def _awaited(sending: Awaitable[None]) -> None:
    await sending


async def ask(http: aiohttp.ClientSession, path: str, seen: Watched, dated_slug: str = "") -> None:
    began = time.monotonic()
    try:
        async with http.get(path) as answer:
            body = await answer.read()
            status, cache = answer.status, answer.headers.get("X-Cache", "")
    except (aiohttp.ClientError, TimeoutError) as error:
        body, status, cache = repr(error).encode(), 0, ""
    dated = _dated(body, dated_slug) if dated_slug and status == 200 else None
    marks = frozenset(int(found) for found in MARK.findall(body))
    seen.answers.append(Answer(path, began, time.monotonic(), status, cache, marks, dated))


def _dated(sitemap: bytes, slug: str) -> datetime:
    found = re.search(rf"course={re.escape(slug)}</loc>\s*<lastmod>([^<]+)", sitemap.decode())
    assert found is not None, f"the sitemap does not date {slug}"
    return datetime.fromisoformat(found[1])


async def _hits(http: aiohttp.ClientSession) -> dict[int, int]:
    """Kept pages that each host process has served, by its id; asked on fresh connections."""
    found: dict[int, int] = {}
    for _ in range(40):
        async with http.get("/readyz") as answer:
            told = await answer.json()
        found[told["process"]] = (told["page_cache"] or {"hits": 0})["hits"]
    return found

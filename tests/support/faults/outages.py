"""An unavailable database under load: cached pages are served and marked as stale, everything recovers afterwards."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from uuid import uuid4

import aiohttp
from sqlalchemy import create_engine, text

from tests.support.faults.pages import course_path, flaw
from tests.support.servers import MariaServer, mariadb_binary, new_schema
from tests.support.site import WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

# Upper bound until the host notices: it polls the database twice a second, with a deadline.
NOTICED_S = 3.0
MESSAGE = {"name": "Ada", "email": "ada@example.test", "subject": "Outage", "message": "Is anybody there?"}


@dataclass
class Outage:
    """`flaws`: wrong responses; `unmarked`: stale pages without the mark."""

    pages: int = 0
    stale: int = 0
    flaws: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    recovered_s: float = 0.0
    visits: int = 0
    visits_lost: int = 0


@contextmanager
def site_on_mariadb(**settings: str) -> Iterator[tuple[Site, MariaServer]]:
    """A site with a MariaDB server of its own."""
    server = MariaServer(mariadb_binary() or "mariadbd")
    try:
        server.start()
        with running(
            DATABASE_URL=new_schema(server.url), LIMITS="off", ROBOTS="open", **WITHOUT_STANDINS, **settings
        ) as site:
            yield site, server
    finally:
        server.close()


class Load:
    """Requests pages at a steady rate, and posts visits; checks each response."""

    def __init__(self, http: aiohttp.ClientSession, paths: list[str], outage: Outage):
        self._http, self._paths, self._outage = http, paths, outage
        # Between these two, by time.monotonic(), every page must be marked as stale.
        self.marked_from = self.marked_until = float("inf")
        self.events: set[str] = set()

    async def run(self, rate: int) -> None:
        begin, paths = time.monotonic(), cycle(self._paths)
        async with asyncio.TaskGroup() as group:
            for number in range(10**9):
                group.create_task(self._page(next(paths)))
                if number % 10 == 0:
                    group.create_task(self._visit())
                await asyncio.sleep(max(0.0, begin + (number + 1) / rate - time.monotonic()))

    async def _page(self, path: str) -> None:
        began, outage = time.monotonic(), self._outage
        try:
            async with self._http.get(path) as answer:
                # Pages of search results are not for search engines: no canonical, no structured data.
                about = {"is_list": path.startswith("/shop"), "is_indexed": not path.startswith("/search")}
                wrong = flaw(answer.status, await answer.text(), **about)
                is_stale = answer.headers.get("X-Cache") == "stale"
        except (aiohttp.ClientError, TimeoutError) as error:
            wrong, is_stale = repr(error), False
        ended = time.monotonic()
        outage.pages += 1
        outage.stale += is_stale
        outage.slowest_s = max(outage.slowest_s, ended - began)
        if wrong is not None:
            outage.flaws.append(f"{path}: {wrong}")
        elif self.marked_from <= began and ended <= self.marked_until and not is_stale:
            outage.unmarked.append(path)

    async def _visit(self) -> None:
        event = str(uuid4())
        body = {"SessionID": str(uuid4()), "AAUserID": 0, "Url": "/shop", "EventID": event}
        try:
            async with self._http.post("/api/SetAAUserTraceLog", json=body) as answer:
                if answer.status == 202:
                    self.events.add(event)
                else:
                    self._outage.flaws.append(f"a visit: status {answer.status}")
        except (aiohttp.ClientError, TimeoutError) as error:
            self._outage.flaws.append(f"a visit: {error!r}")


async def run_outage(
    site: Site, server: MariaServer, seconds: float, rate: int = 100, *, frozen: bool = False
) -> Outage:
    """Stops or freezes the server for `seconds`, under `rate` requests a second for pages that are cached."""
    outage = Outage()
    async with aiohttp.ClientSession(site.url, timeout=aiohttp.ClientTimeout(total=20)) as http:
        course = await course_path(http)
        paths = ["/", "/shop", "/shop?page=2", course, "/about", "/search?q=tax"]
        for path in paths:
            await until(lambda path=path: _is_cached(http, path))
        await _status(http, "/sitemap.xml")
        load = Load(http, paths, outage)
        loading = asyncio.create_task(load.run(rate))
        try:
            await until(lambda: outage.pages >= rate // 2)
            await asyncio.to_thread(server.freeze if frozen else server.stop)
            began = time.monotonic()
            load.marked_from = began + NOTICED_S
            await asyncio.sleep(NOTICED_S)
            outage.flaws += await _flaws_beside(http, course)
            await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
            load.marked_until = time.monotonic()
            await asyncio.to_thread(server.thaw if frozen else server.start)
            back = time.monotonic()
            await until(lambda: _is_well(http, paths))
            outage.recovered_s = time.monotonic() - back
            enough = outage.pages + rate // 2
            await until(lambda: outage.pages >= enough)
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
    outage.visits = len(load.events)
    outage.visits_lost = await _lost(site, load.events)
    return outage


async def _status(http: aiohttp.ClientSession, path: str) -> tuple[int, str]:
    async with http.get(path) as answer:
        await answer.read()
        return answer.status, answer.headers.get("X-Cache", "")


async def _is_cached(http: aiohttp.ClientSession, path: str) -> bool:
    return await _status(http, path) == (200, "hit")


async def _is_well(http: aiohttp.ClientSession, paths: list[str]) -> bool:
    """Whether every page is fresh again, and an uncached one can be rendered."""
    fresh = [await _is_cached(http, path) for path in paths]
    return all(fresh) and (await _status(http, "/shop?page=3"))[0] == 200


async def _flaws_beside(http: aiohttp.ClientSession, course: str) -> list[str]:
    """Wrong responses of other paths while the database is unavailable."""
    expected = {
        "/healthz": 200,
        "/readyz": 200,
        "/robots.txt": 200,
        "/sitemap.xml": 200,
        "/static/images/logo.svg": 200,
        "/contact": 200,
        f"/data{course}": 200,
        # Not cached, so it cannot be served now.
        "/shop?page=4": 503,
    }
    statuses = {path: (await _status(http, path))[0] for path in expected}
    async with http.post("/api/contact", json=MESSAGE) as answer:
        statuses["/api/contact"] = answer.status if answer.headers.get("Retry-After") else 0
    expected["/api/contact"] = 503
    return [
        f"{path}: {statuses[path]} instead of {status}" for path, status in expected.items() if statuses[path] != status
    ]


async def _lost(site: Site, events: set[str], deadline_s: float = 40.0) -> int:
    """The number of accepted visits that are missing in the database after the deadline, or stored twice."""
    engine = create_engine(site.environment["DATABASE_URL"].replace("mysql://", "mysql+pymysql://"))

    def missing() -> int:
        with engine.connect() as connection:
            stored = [row[0] for row in connection.execute(text("SELECT event_id FROM visits"))]
        return len(events - set(stored)) + len(stored) - len(set(stored))

    async def all_there() -> bool:
        return not await asyncio.to_thread(missing)

    try:
        await until(all_there, deadline_s, 0.2)
    except AssertionError:
        return missing()
    finally:
        engine.dispose()
    return 0

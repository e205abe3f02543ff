"""Each service away for 30 s while people buy: they are told so in time, the catalogue is not touched, and everything
is settled within a minute of its return."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from itertools import cycle
from typing import Any

import aiohttp

from tests.support.faults import orders
from tests.support.faults.orders import Shopping
from tests.support.faults.pages import Load, course_path
from tests.support.servers import MariaServer, mariadb_binary, new_schema
from tests.support.silent_line import SilentLine
from tests.support.site import Site, running
from tests.support.smtp import mail_sink
from tests.support.waiting import until

Outcome = tuple[bool, str]
OUTAGE_S = 30.0
# Until everything agrees after the outage.
AGREE_S = 60.0
# Buyers are told within 2 s, the database's deadline and more than any wait for the gateway. The rest is the host's own
# work, beside all the others here.
TOLD_S = 3.0
PAGES_PER_SECOND = 10


@asynccontextmanager
async def reading_the_catalogue(site: Site) -> AsyncIterator[Load]:
    """Requests of pages that are in the page cache, during a block."""
    load = Load()
    timeout = aiohttp.ClientTimeout(total=20)
    async with aiohttp.ClientSession(site.url, timeout=timeout) as http:
        paths = ["/", "/shop", await course_path(http)]
        for path in paths:
            await until(partial(_is_cached, http, path))

        async def read() -> None:
            async with asyncio.TaskGroup() as group:
                for path in cycle(paths):
                    group.create_task(load.get(http, path))
                    await asyncio.sleep(1 / PAGES_PER_SECOND)

        reading = asyncio.create_task(read())
        yield load
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _is_cached(http: aiohttp.ClientSession, path: str) -> bool:
    async with http.get(path) as answer:
        await answer.read()
        return answer.headers.get("X-Cache") == "hit"


async def outage(site: Site, break_service: Callable[[Site, float], Awaitable[None]]) -> Outcome:
    """Purchases and pages while a service is away, and until everything agrees."""
    shopping = Shopping(site, 10**6)
    async with reading_the_catalogue(site) as load:
        buying = asyncio.create_task(shopping.run())
        await asyncio.sleep(2)
        await break_service(site, OUTAGE_S)
        shopping.stop()
        await buying
        took, wrong = await orders.agree_within(site, AGREE_S)
    seen = shopping.seen
    text = (
        f"{len(seen.codes)} orders, slowest response {seen.slowest_s:.1f} s ({seen.slowest}), {load.answers} pages, "
        f"{len(load.flaws)} flaws, slowest {load.slowest_s:.1f} s; agree after {took:.1f} s"
    )
    is_good = not (wrong or seen.others or seen.lost or load.flaws) and seen.slowest_s <= TOLD_S
    others = [f"{number} x {status}" for status, number in seen.others.items()]
    return is_good, "; ".join([text, *wrong[:2], *others, *load.flaws[:2]])


async def of_demo_site(break_service: Callable[[Site, float], Awaitable[None]]) -> Outcome:
    with running(LIMITS="off", ROBOTS="open") as site:
        return await outage(site, break_service)


async def of_mariadb(*, frozen: bool) -> Outcome:
    with mariadb() as server:

        async def break_server(_site: Site, seconds: float) -> None:
            await asyncio.to_thread(server.freeze if frozen else server.stop)
            await asyncio.sleep(seconds)
            await asyncio.to_thread(server.thaw if frozen else server.start)

        with running(LIMITS="off", ROBOTS="open", DATABASE_URL=new_schema(server.url)) as site:
            return await outage(site, break_server)


@contextmanager
def mariadb() -> Iterator[MariaServer]:
    """A server of its own during a block."""
    server = MariaServer(mariadb_binary() or "mariadbd")
    try:
        server.start()
        yield server
    finally:
        server.close()


async def of_mail() -> Outcome:
    """The mail server is silent. Every paid order has its mail a minute after it speaks again."""
    async with mail_sink() as sink:
        port = int(sink.url.rpartition(":")[2])
        line = await asyncio.to_thread(_start_line, port)
        try:
            with running(LIMITS="off", ROBOTS="open", SMTP_URL=f"smtp://127.0.0.1:{line.port}") as site:
                is_good, text = await outage(site, partial(_silence, line))
                took, waiting = await _mails_sent_within(site, AGREE_S)
        finally:
            await asyncio.to_thread(line.stop)
        ids = [mail.message_id for mail in sink.received]
        twice = len(ids) - len(set(ids))
    text += f"; {len(ids)} mails, {twice} of them twice, {waiting} waiting; sent after {took:.1f} s"
    return is_good and not waiting, text


def _start_line(port: int) -> SilentLine:
    line = SilentLine(port)
    line.start()
    return line


async def _silence(line: SilentLine, _site: Site, seconds: float) -> None:
    line.be_silent()
    await asyncio.sleep(seconds)
    line.go_on()


async def _mails_sent_within(site: Site, seconds: float) -> tuple[float, int]:
    """Seconds until no mail of an order waits, and how many do when they are over."""
    query = "SELECT count(*) FROM outbox WHERE topic = 'mail' AND done_at IS NULL AND dead_at IS NULL"
    began = asyncio.get_running_loop().time()

    async def is_sent() -> bool:
        return not (await asyncio.to_thread(site.query, query))[0][0]

    with contextlib.suppress(AssertionError):
        await until(is_sent, seconds, 0.5)
    return asyncio.get_running_loop().time() - began, (await asyncio.to_thread(site.query, query))[0][0]


EXPERIMENTS: dict[str, Callable[[], Coroutine[Any, Any, Outcome]]] = {
    "sell-redis": partial(of_demo_site, partial(orders.freeze, kind="redis")),
    "sell-gateway": partial(of_demo_site, partial(orders.freeze, kind="standins")),
    "sell-database": partial(of_demo_site, orders.lock_database),
    "sell-mariadb-stopped": partial(of_mariadb, frozen=False),
    "sell-mariadb-frozen": partial(of_mariadb, frozen=True),
    "sell-mail": of_mail,
}

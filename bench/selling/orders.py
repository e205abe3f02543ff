"""C1: what an order costs the host from the press of the button to the stored payment (place, open, event, settle),
compared with order-floor (bench/selling/order_floor.py). Each side has a stand-in of the gateway of its own.

The product runs without a broker, so that the host settles too and all CPU time is that of one process.
"""

import asyncio
import contextlib
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from bench.comparison import ResultLine, compare
from bench.measured_database import CHOSEN, database_settings
from bench.processes import Side, fetch, run_process, wait_until
from bench.selling.floor_database import FloorDatabase
from domain.database.database import Database, database_url
from tests.support.databases import FILE, copy_rows, migrated_schema
from tests.support.faults.buyers import CARD, VALUES, Buyer, sign_in
from tests.support.servers import free_port
from tests.support.site import Site, running

BUYERS = 4
ROUNDS, ORDERS_PER_BUYER = 8, 3
WAIT_S = 120.0
SETTINGS = {
    "LIMITS": "off",
    "REDIS_URL": "none",
    # Its mail is not part of this figure.
    "SMTP_URL": "smtp://127.0.0.1:9",
    # Commits wait for a disk that is shared: no order is to be refused for that.
    "DATABASE_DEADLINE_MS": "20000",
    "PAYMENTS_WAIT_MS": "20000",
}
PAID = "SELECT count(*) FROM orders WHERE state = 'paid'"
HANDLED = "SELECT count(*) FROM outbox WHERE topic = 'payments' AND done_at IS NOT NULL"


@dataclass(frozen=True)
class Shop:
    """A side and how it is bought from. `prepare` is not measured; `press` returns the id of the gateway's session."""

    side: Side
    gateway: str
    count: Callable[[str], int]
    prepare: Callable[[], Awaitable[None]]
    press: Callable[[int], Awaitable[str]]

    def has(self, goals: Sequence[tuple[str, int]]) -> bool:
        """Whether each query counts as many rows."""
        return all(self.count(query) >= number for query, number in goals)


def c1() -> list[ResultLine]:
    ours, floor = asyncio.run(_measure())
    rate = f"{ours:.1f} ms, {1000 / ours:.0f} orders a second on a core"
    line = compare(
        "C1", f"an order, paid: CPU{CHOSEN.suffix}", 4.0, (ours, rate), (floor, f"{floor:.1f} ms order-floor")
    )
    return [line]


async def _measure() -> tuple[float, float]:
    """CPU ms of an order of both."""
    with (
        database_settings() as database,
        running(**SETTINGS, **database) as site,
        _floor(site) as (floor, gateway, copy),
    ):
        async with aiohttp.ClientSession(site.url) as http, _product(site, http) as product:
            shops = [product, _floor_shop(http, floor, gateway, copy)]
            costs: list[list[float]] = [[], []]
            for number in range(ROUNDS + 1):
                for shop, seen in zip(shops, costs, strict=True):
                    cost = await _round(shop)
                    if number:
                        seen.append(cost)
    return median(costs[0]), median(costs[1])


async def _round(shop: Shop) -> float:
    """CPU ms of an order."""
    spent = 0.0
    for _order in range(ORDERS_PER_BUYER):
        await shop.prepare()
        goals = [(query, shop.count(query) + BUYERS) for query in (PAID, HANDLED)]
        before = shop.side.cpu()
        sessions = await asyncio.gather(*(shop.press(buyer) for buyer in range(BUYERS)))
        await asyncio.gather(*(_pay(shop.gateway, session) for session in sessions))
        await _until(partial(shop.has, goals))
        spent += shop.side.cpu() - before
    return spent * 1000 / (BUYERS * ORDERS_PER_BUYER)


async def _pay(gateway: str, session: str) -> None:
    async with aiohttp.ClientSession() as http:
        body = {"session": session, "card": CARD}
        async with http.post(f"{gateway}/dev/pay", json=body) as answer:
            answer.raise_for_status()


def _answers(port: int) -> bool:
    return fetch(port, "/") != b""


async def _until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not await asyncio.to_thread(condition):
        if time.monotonic() > until:
            raise RuntimeError(f"the orders were not paid within {WAIT_S:g} s")
        await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def _product(site: Site, http: aiohttp.ClientSession) -> AsyncIterator[Shop]:
    [(voucher,)] = site.query("SELECT id FROM shop_items WHERE fulfilment = 'code' LIMIT 1")
    buyers: Sequence[Buyer] = [sign_in(site, http, f"buyer{number}") for number in range(BUYERS)]

    async def prepare() -> None:
        for buyer in buyers:
            await buyer.fill(voucher)
            await buyer.show()

    async def press(buyer: int) -> str:
        status, answer = await buyers[buyer].order()
        if status != 200 or answer["status"] != "success":
            raise RuntimeError(f"an order was not placed: {status} {answer}")
        query = "SELECT session_id FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.code = ?"
        [(session,)] = await asyncio.to_thread(site.query, query, answer["code"])
        return str(session)

    side = Side("host", site.port, lambda: site.pids()["host"])
    yield Shop(side, f"http://127.0.0.1:{site.port + 2}", lambda query: int(site.query(query)[0][0]), prepare, press)


def _floor_shop(http: aiohttp.ClientSession, floor: Side, gateway: str, database: str) -> Shop:
    async def prepare() -> None:
        pass

    async def press(_buyer: int) -> str:
        body: dict[str, Any] = {"values": VALUES, "service": ""}
        async with http.post(f"http://127.0.0.1:{floor.port}/orders", json=body) as answer:
            answer.raise_for_status()
            return str((await answer.json())["session"])

    return Shop(floor, gateway, FloorDatabase(database).count, prepare, press)


@contextlib.contextmanager
def _floor(site: Site) -> Iterator[tuple[Side, str, str]]:
    """The reference on a copy of the site's database, with its own stand-in; the stand-in's address, and the copy's."""
    folder, gateway_port, floor_port = Path(tempfile.mkdtemp(prefix="cf-bench-")), free_port(), free_port()
    database = _copy(site, folder)
    gateway = f"http://127.0.0.1:{gateway_port}"
    standin = ["--folder", str(folder / "standins"), "--site-origin", site.url, "--payments-port", str(gateway_port)]
    webhook = ["--payments-webhook", f"http://127.0.0.1:{floor_port}/webhooks/payments"]
    command = [sys.executable, "-m", "standins", *standin, *webhook, "--without", "identity", "--without", "mail"]
    floor = [sys.executable, "-m", "bench.selling.order_floor", str(floor_port), database, gateway]
    try:
        with run_process(command), run_process(floor) as child:
            for port in (gateway_port, floor_port):
                wait_until(partial(_answers, port), f"a response of port {port}")
            yield Side("order-floor", floor_port, lambda: [child.pid]), gateway, database
    finally:
        shutil.rmtree(folder)


def _copy(site: Site, folder: Path) -> str:
    """A copy of the site's database: a file in that folder, or a schema of the same server."""
    url = site.environment.get("DATABASE_URL")
    if url is None:
        with (
            contextlib.closing(sqlite3.connect(site.var_dir / FILE, timeout=WAIT_S)) as source,
            contextlib.closing(sqlite3.connect(folder / FILE)) as target,
        ):
            source.backup(target)
        return str(folder / FILE)
    original, copy = Database(database_url(url, folder)), migrated_schema(url.rpartition("/")[0])
    copy_rows(original, copy)
    for database in (original, copy):
        database.engine.dispose()
    return copy.url.render_as_string(hide_password=False)

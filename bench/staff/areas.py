"""A3, A7 and a part of A1 of the areas: the first page of a list of 100,000 orders, the same list as a file, and an
upload of 100 MiB in parts. A1 is compared with /data/shop that is not cached, and with the list of 1,000 orders."""

import asyncio
import base64
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

import aiohttp
import psutil

from bench.client import Load
from bench.comparison import ResultLine, compare, cpu_ms, measure_loads
from bench.processes import Side
from bench.selling.many_orders import FEW, add_orders
from bench.staff import many_rows
from domain.database.database import Database, database_url
from domain.identity import sessions
from domain.tables import Learner
from domain.uploads.upload_rows import PART_BYTES
from host.auth.private_pages import TOKEN_COOKIE
from tests.support.site import Site, running

SETTINGS = {"LIMITS": "off", "PAGE_CACHE": "off", "SSR_WORKERS": "1", "DATABASE_DEADLINE_MS": "20000"}
LIST, SHOP = "/data/admin/orders", "/data/shop"
REQUESTS = 200
MAX_OF_SHOP, MAX_OF_FEW = 2.0, 1.3
CSV_FIRST_MS, CSV_MB, LOOP_MS = 200.0, 30.0, 50.0
UPLOAD_BYTES, UPLOAD_MB = 100 * 2**20, 8.0
SAMPLE_S = 0.02


def many_orders() -> list[ResultLine]:
    """A1 of the list of orders, which is also compared with itself."""
    orders = many_rows.CHOSEN.sizes.orders
    with running(**SETTINGS) as site:
        cookie = staff_cookie(site.var_dir)
        add_orders(site.var_dir, FEW)
        few = _first_page(site, cookie)
        add_orders(site.var_dir, orders, FEW)
        many = _first_page(site, cookie)
    return [
        compare("A1", f"list of {orders:,} orders, CPU", MAX_OF_SHOP, ms_of(many[0]), ms_of(many[1], " /data/shop")),
        compare("A1", "the same", MAX_OF_FEW, ms_of(many[0]), ms_of(few[0], f" with {FEW:,}")),
    ]


def a3() -> list[ResultLine]:
    with running(**SETTINGS) as site:
        add_orders(site.var_dir, many_rows.CHOSEN.sizes.orders)
        return asyncio.run(_csv(site, staff_cookie(site.var_dir)))


def a7() -> list[ResultLine]:
    with running(**SETTINGS) as site:
        return asyncio.run(_upload(site, staff_cookie(site.var_dir)))


def ms_of(figure: float, about: str = "") -> tuple[float, str]:
    return figure, f"{figure:.2f} ms{about}"


def _first_page(site: Site, cookie: str) -> tuple[float, float]:
    """CPU ms of the first page of the list, and of /data/shop."""
    side = Side("host", site.port, lambda: site.pids()["host"])
    loads = [Load(site.port, LIST, REQUESTS, cookie=cookie), Load(site.port, SHOP, REQUESTS)]
    listed, shop = measure_loads([(side, load) for load in loads], warm_up_requests=50)
    return cpu_ms(listed), cpu_ms(shop)


def staff_cookie(var_dir: Path) -> str:
    """The cookies of an administrator's browser."""
    database = Database(database_url(None, var_dir), busy_ms=20_000)
    with database.write_session() as session:
        admin = session.query(Learner).filter_by(email="admin@example.test").one()
        opened = sessions.open_session(session, admin.id, datetime.now(UTC), "admin")
    token = quote(json.dumps({"accessToken": opened.token}))
    return f"sid={opened.cookie_secret}; {TOKEN_COOKIE}={token}"


class Memory:
    """The most that the hosts have taken since the beginning, in MB more than then."""

    def __init__(self, site: Site):
        self._processes = [psutil.Process(pid) for pid in site.pids()["host"]]
        self._before, self.more_mb = self._now(), 0.0

    def _now(self) -> float:
        # Without what is mapped from files: each connection maps the database, which counts each time and is no copy.
        infos = [process.memory_info() for process in self._processes]
        return float(sum(info.rss - info.shared for info in infos)) / 2**20

    async def watch(self) -> None:
        while True:
            self.more_mb = max(self.more_mb, self._now() - self._before)
            await asyncio.sleep(SAMPLE_S)


@contextmanager
def _watched(memory: Memory) -> Iterator[None]:
    task = asyncio.create_task(memory.watch())
    try:
        yield
    finally:
        task.cancel()


async def _csv(site: Site, cookie: str) -> list[ResultLine]:
    memory, rows = Memory(site), 0
    waits: list[Wait] = []
    async with aiohttp.ClientSession(site.url, headers={"Cookie": cookie}) as http:
        pinging = asyncio.create_task(_ping(site, waits))
        with _watched(memory):
            began = time.perf_counter()
            async with http.get("/csv/admin/orders") as response:
                first_ms = None
                async for chunk in response.content.iter_any():
                    first_ms = first_ms or (time.perf_counter() - began) * 1000
                    rows += chunk.count(b"\n")
            took = time.perf_counter() - began
        pinging.cancel()
    if rows < many_rows.CHOSEN.sizes.orders:
        raise RuntimeError(f"the file has {rows} lines")
    return [
        _bound("A3", f"CSV of {rows:,} lines in {took:.1f} s, first byte", CSV_FIRST_MS, first_ms or 0, "ms"),
        _bound("A3", "memory", CSV_MB, memory.more_mb, "MB"),
        _bound("A3", "longest answer of /healthz beside it", LOOP_MS, max(wait.ms for wait in waits), "ms"),
        _bound("A3", "the same, without waiting for a core", LOOP_MS, max(wait.own_ms for wait in waits), "ms"),
    ]


class Wait(NamedTuple):
    """For an answer. `own_ms`: at least so much of it, whatever other programs do."""

    ms: float
    own_ms: float


def _waited_ms(pids: list[int]) -> float:
    """How long the threads of these processes were ready to run, without a core."""
    waited = 0
    for file in (file for pid in pids for file in Path(f"/proc/{pid}/task").glob("*/schedstat")):
        # A thread may have ended.
        with suppress(OSError):
            waited += int(file.read_text().split()[1])
    return waited / 1e6


async def _ping(site: Site, waits: list[Wait]) -> None:
    pids = [*site.pids()["host"], os.getpid()]
    async with aiohttp.ClientSession(site.url) as http:
        while True:
            waited, began = _waited_ms(pids), time.perf_counter()
            async with http.get("/healthz") as response:
                await response.read()
            took = (time.perf_counter() - began) * 1000
            waits.append(Wait(took, max(0.0, took - (_waited_ms(pids) - waited))))
            await asyncio.sleep(0.01)


async def _upload(site: Site, cookie: str) -> list[ResultLine]:
    token = json.loads(_decoded(cookie))["accessToken"]
    headers = {"Cookie": cookie, "Authorization": f"Bearer {token}", "Origin": f"http://localhost:{site.port}"}
    memory, part = Memory(site), os.urandom(PART_BYTES)
    digest = base64.b64encode(hashlib.sha256(part).digest()).decode()
    about = {"Content-Type": "application/octet-stream", "Content-Digest": f"sha-256=:{digest}:"}
    async with aiohttp.ClientSession(site.url, headers=headers) as http:
        body = {"name": "large.csv", "bytes": UPLOAD_BYTES, "purpose": "import"}
        async with http.post("/api/uploads", json=body) as response:
            upload = await response.json()
        with _watched(memory):
            began = time.perf_counter()
            for number in upload["missing"]:
                async with http.put(f"/api/uploads/{upload['id']}/parts/{number}", data=part, headers=about) as answer:
                    if answer.status != 200:
                        raise RuntimeError(await answer.text())
            took = time.perf_counter() - began
    return [_bound("A7", f"upload of 100 MiB in {took:.1f} s, memory", UPLOAD_MB, memory.more_mb, "MB")]


def _decoded(cookie: str) -> str:
    return unquote(cookie.partition(f"{TOKEN_COOKIE}=")[2])


def _bound(goal: str, what: str, limit: float, figure: float, unit: str) -> ResultLine:
    return ResultLine(goal, what, f"<= {limit:g} {unit}", f"{figure:.1f} {unit}", "", None, figure <= limit)

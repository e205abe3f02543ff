"""The restore drill: a shop in use is copied, the copy is restored elsewhere, compared with what the shop held when the
copy was begun, and then started and used.

The folder of copies has an earlier copy, as with one every hour. Negative controls: a row and a file that are removed
from what was restored must be found.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
from sqlalchemy import Connection, NullPool, create_engine, text

from bench.soak.load import Load, prepared
from bench.soak.people import cookie_of
from bench.soak.shop import SETTINGS, SoakShop, open_shop
from bench.soak.snapshots import DEADLINE_S, Moment, add_copier, copy_under_load, script_variables
from config.settings import ROOT
from domain.database.database import Database, database_url
from domain.learning.files import path_of
from domain.orders.explanation.explain import explain
from tests.support.faults.answers import TIMEOUT, Answers
from tests.support.faults.books import BOUGHT
from tests.support.faults.orders import MUST_BE_EMPTY, Shopping, differences
from tests.support.faults.stored_state import file_differences, read_tables, table_differences
from tests.support.servers import new_schema
from tests.support.site import Site, running

# The load runs so long before the copy, and goes on afterwards.
WARM_S, AFTER_S = 20.0, 5.0


async def run(kind: str, warm_s: float = WARM_S) -> tuple[list[str], list[str]]:
    """What was done, and what was wrong; both in words."""
    with tempfile.TemporaryDirectory(prefix="cf-drill-") as folder:
        async with open_shop(kind) as shop:
            copies = Path(folder) / "copies"
            answers = Answers()
            if shop.server is not None:
                await asyncio.to_thread(add_copier, shop)
            await copy_under_load(shop, copies)
            async with prepared(shop, answers, warm_s + AFTER_S) as load:
                moment = await _copy_in_use(load, copies, warm_s)
                lines = [_about(shop, load, moment)]
                target = Path(folder) / "restored"
                began = time.monotonic()
                printed, settings = await _restore(shop, newest(copies), target)
                lines += [*printed, f"restored in {time.monotonic() - began:.1f} s"]
                wrong = await asyncio.to_thread(_differences, settings, target, moment)
                wrong += await asyncio.to_thread(_controls, settings, target, moment)
                wrong += await load.differences()
                learner = cookie_of(load.studying.buyer)
            used, flaws = await _use(settings, target, learner, load.studying.slug)
            return [*lines, *used], [*wrong, *flaws]


def newest(copies: Path) -> Path:
    return max(copies.glob("*.gz"))


async def _copy_in_use(load: Load, copies: Path, warm_s: float) -> Moment:
    using = asyncio.create_task(load.run(warm_s + AFTER_S))
    await asyncio.sleep(warm_s)
    # The names of copies have seconds.
    moment = await copy_under_load(load.shop, copies)
    await using
    return moment


def _about(shop: SoakShop, load: Load, moment: Moment) -> str:
    rows = sum(table.rows for table in moment.tables.values())
    return (
        f"{shop.kind}: copied in {moment.copied_s:.1f} s at {load.rate:.0f} requests a second; writers waited"
        f" {moment.held_s:.1f} s for the moment to compare with; {len(moment.tables)} tables, {rows:,} rows,"
        f" {len(moment.files)} files; {len(load.shopping.seen.codes)} orders, {load.visitors.posted.accepted:,} visits"
    )


async def _restore(shop: SoakShop, copy: Path, target: Path) -> tuple[list[str], dict[str, str]]:
    """What the script or the command printed, and the settings of a shop on what it restored."""
    settings = SETTINGS | {"VAR_DIR": str(target)}
    if shop.server is None:
        command, environment = [sys.executable, "-m", "host", "restore", str(copy)], {**os.environ, **settings}
    else:
        settings["DATABASE_URL"] = await asyncio.to_thread(new_schema, shop.server.url)
        command = [str(ROOT / "scripts" / "restore"), str(copy)]
        environment = script_variables(settings["DATABASE_URL"], target / "files")
    pipe, merged = asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=pipe, stderr=merged, cwd=ROOT)
    printed, _ = await asyncio.wait_for(process.communicate(), DEADLINE_S)
    lines = printed.decode().splitlines()
    if process.returncode:
        raise RuntimeError(f"the restore failed: {lines}")
    return [line for line in lines if line.startswith(("restored", "files"))], settings


@contextmanager
def _connected(settings: dict[str, str]) -> Iterator[Connection]:
    """A connection to the restored database, whose changes are taken back."""
    engine = create_engine(database_url(settings.get("DATABASE_URL"), Path(settings["VAR_DIR"])), poolclass=NullPool)
    with engine.connect() as connection:
        yield connection
        connection.rollback()
    engine.dispose()


def _differences(settings: dict[str, str], target: Path, moment: Moment) -> list[str]:
    with _connected(settings) as connection:
        wrong = table_differences(moment.tables, read_tables(connection))
        # What must agree in any copy: charges of later orders, which the gateway knows, are none of its matters.
        for name, query in MUST_BE_EMPTY.items():
            if rows := connection.execute(text(query)).all():
                wrong.append(f"{name}: {rows[:3]}")
        codes = [code for (code,) in connection.execute(text(BOUGHT))]
    wrong += file_differences(moment.files, target / "files")
    database = Database(database_url(settings.get("DATABASE_URL"), target), busy_ms=30_000)
    for code in codes:
        with database.read_session() as session:
            wrong += [f"{code}: {difference}" for difference in explain(session, code).differences]
    database.engine.dispose()
    return wrong if codes else [*wrong, "no order was paid before the copy"]


def _controls(settings: dict[str, str], target: Path, moment: Moment) -> list[str]:
    """What the comparison does not find of what is taken away."""
    wrong = []
    with _connected(settings) as connection:
        connection.execute(text(REMOVE_A_VISIT))
        rows = moment.tables["visits"].rows
        found = table_differences(moment.tables, read_tables(connection))
        if found != [f"visits has {rows - 1:,} rows instead of {rows:,}"]:
            wrong.append(f"a removed row is found as {found}")
    sha256 = min(moment.files)
    path = path_of(target / "files", sha256)
    path.rename(path.with_suffix(".away"))
    found = file_differences(moment.files, target / "files")
    path.with_suffix(".away").rename(path)
    if found != [f"file {sha256[:12]} is missing"]:
        wrong.append(f"a removed file is found as {found}")
    return wrong


REMOVE_A_VISIT = "DELETE FROM visits WHERE id = (SELECT id FROM (SELECT max(id) AS id FROM visits) newest)"


async def _use(settings: dict[str, str], target: Path, cookie: str, course: str) -> tuple[list[str], list[str]]:
    """Starts the product on what was restored: who was signed in before the copy still is, with the course; somebody
    else signs in, and buys."""
    settings = {name: value for name, value in settings.items() if name != "VAR_DIR"}
    wrong, began = [], time.monotonic()
    with running(target, **settings) as site:
        started_s = time.monotonic() - began
        async with aiohttp.ClientSession(site.url, timeout=TIMEOUT) as http:
            path = f"/data/user-dashboard?course={course}"
            async with http.get(path, headers={"Cookie": cookie}) as response:
                if response.status != 200 or course not in await response.text():
                    wrong.append(f"who was signed in gets {response.status} for the course")
            async with http.get("/healthz") as response:
                health = await response.json()
                if health.get("degraded"):
                    wrong.append(f"degraded: {health['degraded']}")
        shopping = Shopping(site, 2)
        await shopping.run()
        wrong += await asyncio.to_thread(_differences_of_new_orders, site, shopping)
    return [f"started on it in {started_s:.1f} s, {len(shopping.seen.codes)} orders placed and paid there"], wrong


def _differences_of_new_orders(site: Site, shopping: Shopping) -> list[str]:
    """The stand-in of the gateway is new there and knows the new orders alone."""
    found = [text for text in differences(site) if not text.endswith("is paid and was not charged")]
    unpaid = [code for code in shopping.seen.codes if site.query(STATE, code) != [("paid",)]]
    return found + [f"{code} is not paid" for code in unpaid]


STATE = "SELECT state FROM orders WHERE code = ?"

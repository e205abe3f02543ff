"""C5: reconciling and exporting many orders, CPU an order and memory, compared with few; and placing meanwhile.

`python -m bench.selling.many_orders FOLDER COUNT` reconciles and exports a database with that many generated orders,
and prints what it took as JSON. Its gateway is a list of the same payments.
"""

import asyncio
import csv
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any, cast

import aiohttp

from adapters.payments import reconciling
from adapters.payments.transactions import BlockingTransactions
from bench.comparison import ResultLine, compare
from bench.processes import ROOT
from bench.selling import order_floor
from bench.selling.order_floor import LINE, ORDER, PAYMENT, PRICE_MINOR
from domain.database.database import Database, database_url
from domain.orders.export import export as order_export
from domain.orders.export.agreement import BooksAgreement
from domain.orders.export.period import Period
from domain.payments.gateway import PaymentGateway, Reference, Transaction, TransactionPage
from domain.payments.shop_uid import read as read_uid
from tests.support.databases import FILE
from tests.support.faults.buyers import Buyer, sign_in
from tests.support.site import Site, running

FEW, MANY = 1_000, 100_000
RUNS_OF_FEW = 3
MAX_RATIO, MAX_MORE_MB = 1.2, 60.0
PAGE = 100
# Orders that are written together.
CHUNK = 20_000
SETTINGS = {"LIMITS": "off", "DATABASE_DEADLINE_MS": "20000"}


@dataclass(frozen=True)
class Cost:
    """CPU us of an order; MB at the most."""

    reconcile_us: float
    export_us: float
    peak_mb: float


def c5() -> list[ResultLine]:
    with running(**SETTINGS) as site, _copy(site) as few_folder:
        add_orders(few_folder, FEW)
        add_orders(site.var_dir, MANY)
        first = [run(few_folder, FEW) for _ in range(RUNS_OF_FEW)]
        many = run(site.var_dir, MANY)
        few = [*first, *(run(few_folder, FEW) for _ in range(RUNS_OF_FEW))]
        placing = asyncio.run(_place_beside(site))
    more_mb = many.peak_mb - median(run.peak_mb for run in few)
    rest_ms, beside_ms = placing
    return [
        _line("reconciled", many.reconcile_us, median(run.reconcile_us for run in few)),
        _line("exported", many.export_us, median(run.export_us for run in few)),
        ResultLine("C5", "memory", f"+ <= {MAX_MORE_MB:g} MB", f"+ {more_mb:.0f} MB", "", None, more_mb <= MAX_MORE_MB),
        ResultLine("C5", "placing beside it, p50", "", f"{beside_ms:.0f} ms", f"{rest_ms:.0f} ms", None, None),
    ]


def _line(what: str, many: float, few: float) -> ResultLine:
    texts = (f"{many:.0f} us an order", f"{few:.0f} us at {FEW:,}")
    return compare("C5", f"{MANY:,} orders {what}, CPU", MAX_RATIO, (many, texts[0]), (few, texts[1]))


@contextmanager
def _copy(site: Site) -> Iterator[Path]:
    folder = site.copy_database()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run(folder: Path, count: int) -> Cost:
    command = [sys.executable, "-m", "bench.selling.many_orders", str(folder), str(count)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return Cost(**json.loads(process.stdout))


async def _place_beside(site: Site) -> tuple[float, float]:
    """How long an order takes to place, in ms: at rest, and while another run goes on."""
    async with aiohttp.ClientSession(site.url) as http:
        buyer = sign_in(site, http, "buyer")
        [(item,)] = site.query("SELECT id FROM shop_items WHERE fulfilment = 'code' LIMIT 1")
        at_rest = [await _place(buyer, item) for _ in range(10)]
        reconciling_many = asyncio.create_task(asyncio.to_thread(run, site.var_dir, MANY))
        beside = [await _place(buyer, item)]
        while not reconciling_many.done():
            beside.append(await _place(buyer, item))
        await reconciling_many
    return median(at_rest), median(beside)


async def _place(buyer: Buyer, item: int) -> float:
    """Each order supersedes the one before."""
    await buyer.fill(item)
    await buyer.show()
    began = time.perf_counter()
    status, answer = await buyer.order()
    if status != 200 or answer["status"] != "success":
        raise RuntimeError(f"an order was not placed: {status} {answer}")
    return (time.perf_counter() - began) * 1000


def add_orders(folder: Path, count: int, begin: int = 0) -> None:
    """Paid orders of one line, each with its payment and its invoice; `begin` of them are there."""
    at = order_floor.text_of(datetime.now(UTC) - timedelta(days=1))
    with closing(sqlite3.connect(folder / FILE, timeout=60)) as connection, connection:
        [first] = connection.execute("SELECT max(id) + 1 FROM orders").fetchone()
        for start in range(begin, count, CHUNK):
            _add_chunk(connection, range(start, min(start + CHUNK, count)), first - begin, at)


def _add_chunk(connection: sqlite3.Connection, numbers: range, first: int, at: str) -> None:
    """`first`: the id of the order of number 0."""
    tables: dict[str, list[dict[str, Any]]] = {"orders": [], "order_lines": [], "payments": [], "documents": []}
    for number in numbers:
        code, order_id = f"BENCH{number:015}", first + number
        own = {"code": code, "form_key": code, "content_digest": code, "placed_at": at, "changed_at": at}
        tables["orders"].append({**ORDER, **own, "id": order_id, "state": "paid", "paid_at": at})
        tables["order_lines"].append({**LINE, "order_id": order_id})
        ids = {"intent_id": f"pi_{number}", "charge_id": f"ch_{number}", "session_id": f"cs_{number}"}
        paid = {"state": "paid", "paid_at": at, "created_at": at, "key": f"{code}-1"}
        tables["payments"].append({**PAYMENT, **ids, **paid, "order_id": order_id})
        about = {"number": f"B2026-{number:06}", "year": 1999, "seq": number, "order_id": order_id}
        tables["documents"].append({**INVOICE, **about, "issued_at": at})
    for table, rows in tables.items():
        names = ", ".join(f'"{name}"' for name in rows[0])
        places = ", ".join(f":{name}" for name in rows[0])
        connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)


def _body() -> dict[str, Any]:
    amounts = {"net_minor": PRICE_MINOR, "tax_minor": 0, "total_minor": PRICE_MINOR}
    line = {**amounts, "name": order_floor.NAME, "sku": "ML-EV-101", "quantity": 1, "taxes": []}
    buyer = {"number": "S-1042", "vat_id": ""}
    return {**amounts, "v": 1, "currency": "USD", "buyer": buyer, "lines": [line], "taxes": []}


INVOICE = {"kind": "invoice", "body": json.dumps(_body()), "digest": "0" * 64}


class ListedGateway:
    """Has a charge for each generated order."""

    name = "stripe"

    def __init__(self, shop: str, count: int):
        self._shop, self._count = shop, count
        self._at = datetime.now(UTC) - timedelta(days=1)

    async def list_transactions(self, _since: datetime, _until: datetime, cursor: str | None) -> TransactionPage:
        first = int(cursor or 0)
        last = min(first + PAGE, self._count)
        rows = tuple(self._charge(number) for number in range(first, last))
        return TransactionPage(rows, str(last) if last < self._count else None)

    async def list_transactions_of(self, _charge_id: str) -> tuple[Transaction, ...]:
        """None: each charge is on a page."""
        return ()

    def _charge(self, number: int) -> Transaction:
        reference = Reference(self._shop, f"BENCH{number:015}", 1)
        intent_id, charge_id = f"pi_{number}", f"ch_{number}"
        return Transaction(
            f"ch_{number}",
            "charge",
            PRICE_MINOR,
            "USD",
            self._at,
            intent_id=intent_id,
            charge_id=charge_id,
            reference=reference,
        )


def _measure(folder: Path, count: int) -> Cost:
    db = Database(database_url(None, folder), deadline_s=60, busy_ms=60_000)
    with db.read_session() as session:
        uid = read_uid(session) or ""
    since = datetime.now(UTC) - timedelta(days=2)

    def reconcile(transactions: int, *, is_dry: bool) -> reconciling.Report:
        gateway = cast("PaymentGateway", ListedGateway(uid, transactions))
        return asyncio.run(reconciling.reconcile(BlockingTransactions(db), gateway, uid, since, is_dry=is_dry))

    # Statements are compiled at their first use.
    reconcile(PAGE, is_dry=True)
    _export(db, Period(date(2000, 1, 1), date(2000, 1, 1)))
    began = time.process_time()
    report = reconcile(count, is_dry=False)
    reconciled = time.process_time()
    if report.findings or report.transactions != count:
        raise RuntimeError(f"{len(report.findings)} of {report.transactions} differ: {report.findings[:2]}")
    if not _export(db, Period(None, None)).is_right:
        raise RuntimeError("documents and money do not agree")
    exported = time.process_time()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost((reconciled - began) * 1e6 / count, (exported - reconciled) * 1e6 / count, peak_mb)


def _export(db: Database, period: Period) -> BooksAgreement:
    with db.read_session() as session, open(os.devnull, "w") as file:
        return order_export.export(session, "documents", period, csv.writer(file).writerow)


if __name__ == "__main__":
    print(json.dumps(vars(_measure(Path(sys.argv[1]), int(sys.argv[2])))))

"""V3, V4: what storing a visit costs beside the bare inserts of the same rows and on top of many others, and how fast a
worker empties Redis."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any
from uuid import uuid4

import orjson
from redis import Redis
from sqlalchemy import delete, func, select, text

from bench.comparison import ResultLine, compare
from bench.processes import Side, run_process, wait_until
from bench.staff import many_rows
from config.settings import Settings
from contracts.payloads import VisitBatch, encode
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.tables import Visit
from domain.visits import batches, visits
from host.messaging.celery_sender import CelerySender
from host.supervisor import programs
from tests.support.databases import migrated_schema
from tests.support.servers import MariaServer, mariadb_binary
from workers.app import freeze_startup_objects

VISITS = 30_000
# More for the worker: its first transaction, from which it is measured, ends while other parts of it still start.
WORKER_VISITS = 120_000
# Rows that are there before V4 begins; the goal is about the greater number.
USUAL_ROWS, FULL_ROWS = 1_000_000, 10_000_000
BATCH = 500
# What a worker stores in one transaction.
TOGETHER = 5000
ROUNDS = 3
AGENT = "Chrome"
NETWORK = "203.0.113.0/24"


def v3() -> list[ResultLine]:
    """On SQLite in place and through a worker; on MariaDB in place."""
    payloads = payloads_of(VISITS)
    with _sqlite() as (settings, db):
        own, bare = _in_place(db, payloads)
        lines = [_line("SQLite", own, bare, 1.8), *_through_worker(settings, db, payloads_of(WORKER_VISITS))]
    with _mariadb() as db:
        other, bare = _in_place(db, payloads)
    # The goal for MariaDB is a share of SQLite's rate: its driver escapes and joins the values in Python.
    ratio = own.wall_us / other.wall_us
    figure, reference = (f"{1e6 / cost.wall_us:,.0f}/s" for cost in (other, own))
    share = ResultLine("V3", "rate on MariaDB in place", ">= 0.5 x", figure, reference, ratio, ratio >= 0.5)
    return [*lines, replace(_line("MariaDB", other, bare, 1.8), goal="", is_reached=None), share]


def v4() -> list[ResultLine]:
    """Storing in a table that has many rows, in turns with an empty one, on SQLite."""
    count = FULL_ROWS if many_rows.CHOSEN.sizes is many_rows.FULL else USUAL_ROWS
    with _sqlite() as (_, empty), _sqlite() as (_, full):
        for start in range(0, count, WORKER_VISITS):
            _store_bare(full, _tuples(payloads_of(min(WORKER_VISITS, count - start))))
        # Newer than all others, as visits that come are.
        payloads = payloads_of(VISITS)
        freeze_startup_objects()
        on_empty: list[Cost] = []
        on_full: list[Cost] = []
        for _ in range(ROUNDS):
            for db, costs in ((empty, on_empty), (full, on_full)):
                last = _last_id(db)
                costs.append(_cost(partial(_store, db, payloads), VISITS))
                _delete_after(db, last)
    own, reference = _median(on_full), _median(on_empty)
    lines = []
    for what, first, second in (("CPU", own.cpu_us, reference.cpu_us), ("time", own.wall_us, reference.wall_us)):
        figures, ratio = (f"{1e6 / first:,.0f}/s", f"{1e6 / second:,.0f}/s in an empty table"), second / first
        named = f"visits stored on top of {count:,} rows in place, SQLite, {what}"
        lines.append(ResultLine("V4", named, ">= 0.8 x", *figures, ratio, ratio >= 0.8))
    return lines


def _last_id(db: Database) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.max(Visit.id))) or 0


def _delete_after(db: Database, last: int) -> None:
    with db.write_session() as session:
        session.execute(delete(Visit).where(Visit.id > last))


@contextmanager
def _sqlite() -> Iterator[tuple[Settings, Database]]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        settings = Settings.from_environment({"VAR_DIR": name})
        db = Database(database_url(settings.database, settings.var_dir), deadline_s=60)
        runner.upgrade(db.engine)
        yield settings, db
        db.engine.dispose()


@contextmanager
def _mariadb() -> Iterator[Database]:
    server = MariaServer(mariadb_binary() or "mariadbd")
    try:
        server.start()
        db = migrated_schema(server.url)
        yield db
        db.engine.dispose()
    finally:
        server.close()


def payloads_of(count: int, size: int = BATCH) -> list[bytes]:
    """Batches as hosts send them; five visits a session, 300 pages."""
    sessions = [str(uuid4()) for _ in range(0, count, 5)]
    rows = [batches.row_of(_visit(number, sessions[number // 5])) for number in range(count)]
    parts = [rows[start : start + size] for start in range(0, count, size)]
    return [orjson.dumps(encode(VisitBatch(columns=list(batches.COLUMNS), rows=part))) for part in parts]


def _visit(number: int, session_id: str) -> visits.NewVisit:
    """A visit of a guest who came by no link. The event id is a UUID v7, as the browser makes it."""
    url, now = f"/course-details?course=course-{number % 300}", datetime.now(UTC)
    time_text = f"{int(now.timestamp() * 1000):012x}"
    event_id = f"{time_text[:8]}-{time_text[8:]}-7{str(uuid4())[15:]}"
    return visits.NewVisit(event_id, now.isoformat(), session_id, "course-details", url, agent=AGENT, address=NETWORK)


@dataclass(frozen=True)
class Cost:
    """The cost of one visit, in microseconds."""

    cpu_us: float
    wall_us: float


def _cost(work: Callable[[], None], count: int) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost((time.process_time() - cpu) * 1e6 / count, (time.perf_counter() - wall) * 1e6 / count)


def _in_place(db: Database, payloads: list[bytes]) -> tuple[Cost, Cost]:
    """Storing, and the bare inserts. CPU of this process, without a database server's; the rows exist before the time
    begins."""
    bare_rows, own, bare = _tuples(payloads), [], []
    freeze_startup_objects()
    for _ in range(ROUNDS):
        own.append(_cost(lambda: _store(db, payloads), VISITS))
        _clear(db)
        bare.append(_cost(lambda: _store_bare(db, bare_rows), VISITS))
        _clear(db)
    return _median(own), _median(bare)


def _median(costs: list[Cost]) -> Cost:
    return Cost(median(cost.cpu_us for cost in costs), median(cost.wall_us for cost in costs))


def _line(name: str, own: Cost, bare: Cost, goal: float) -> ResultLine:
    what = f"store a visit in place, {name}, {TOGETHER} a commit, CPU"
    figure = f"{own.cpu_us:.1f} us ({1e6 / own.wall_us:,.0f}/s seen)"
    return compare("V3", what, goal, (own.cpu_us, figure), (bare.cpu_us, f"{bare.cpu_us:.1f} us bare inserts"))


def _tuples(payloads: list[bytes]) -> list[tuple[Any, ...]]:
    """The rows as the driver takes them."""
    rows = [row for payload in payloads for row in orjson.loads(payload)["rows"]]
    at = batches.COLUMNS.index("visited_at")
    for row in rows:
        row[at] = f"{datetime.fromtimestamp(row[at] / 1e6, UTC):%Y-%m-%d %H:%M:%S.%f}"
    return list(map(tuple, rows))


def _bare_statement(dialect: str) -> str:
    """The insert of all columns that skips known event ids, as one would write it for the driver's `executemany`."""
    place, end = ("?", "CONFLICT DO NOTHING") if dialect == "sqlite" else ("%s", "DUPLICATE KEY UPDATE id = id")
    places = ", ".join([place] * len(batches.COLUMNS))
    return f"INSERT INTO visits ({', '.join(batches.COLUMNS)}) VALUES ({places}) ON {end}"


def _store_bare(db: Database, rows: list[tuple[Any, ...]]) -> None:
    statement = _bare_statement(db.engine.dialect.name)
    connection = db.engine.raw_connection()
    cursor = connection.cursor()
    for start in range(0, len(rows), TOGETHER):
        # SQLite's driver would commit each row.
        cursor.execute("BEGIN")
        cursor.executemany(statement, rows[start : start + TOGETHER])
        connection.commit()
    connection.close()


def _store(db: Database, payloads: list[bytes]) -> None:
    """What a worker does between Redis and Redis."""
    for start in range(0, len(payloads), TOGETHER // BATCH):
        part = [orjson.loads(payload) for payload in payloads[start : start + TOGETHER // BATCH]]
        rows = [row for batch in part for row in batch["rows"]]
        with db.write_session() as session:
            batches.insert_rows(session, part[0]["columns"], rows)


def _clear(db: Database) -> None:
    """MariaDB would go on removing deleted rows in the background, during the next measurement."""
    with db.write_session() as session:
        session.execute(delete(Visit) if db.is_sqlite else text("TRUNCATE TABLE visits"))


def _stored_count(db: Database) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.count()).select_from(Visit)) or 0


def _through_worker(settings: Settings, db: Database, payloads: list[bytes]) -> list[ResultLine]:
    """A worker that empties a filled Redis, measured from its first transaction to its last one."""
    binary = programs.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    folder, bare_rows, bares, total = settings.var_dir, _tuples(payloads), [], len(payloads) * BATCH
    for _ in range(ROUNDS):
        bares.append(_cost(lambda: _store_bare(db, bare_rows), total))
        _clear(db)
    bare = _median(bares)
    url = f"unix://{folder}/redis.sock"
    with run_process(list(programs.redis(settings, binary, folder).command)):
        wait_until((folder / "redis.sock").exists, "Redis")
        memory = _fill(url, payloads)
        with run_process(list(programs.worker(settings).command), {"REDIS_URL": url, "VAR_DIR": str(folder)}) as worker:
            side = Side("worker", 0, lambda: [worker.pid])
            wait_until(lambda: _stored_count(db) > 0, "the first batches")
            first, began, cpu = _stored_count(db), time.perf_counter(), side.cpu()
            wait_until(lambda: _stored_count(db) == total, "the last batch", 60)
            count, wall, cpu = total - first, time.perf_counter() - began, side.cpu() - cpu
    figure, rate = cpu * 1e6 / count, count / wall
    seen = f"{figure:.1f} us ({1e6 / figure:,.0f}/s of its CPU, {rate:,.0f}/s seen)"
    line = compare("V3", "one worker stores a visit, CPU", 1.8, (figure, seen), (bare.cpu_us, f"{bare.cpu_us:.1f} us"))
    sent = sum(map(len, payloads))
    what, texts = "memory of Redis for a waiting visit", [f"{size / total:.0f} B" for size in (memory, sent)]
    return [line, compare("V4", what, 1.2, (memory, texts[0]), (sent, f"{texts[1]} sent"))]


def _fill(url: str, payloads: list[bytes]) -> int:
    """Send all batches; returns what Redis needs for them."""
    with Redis.from_url(url) as redis:
        before = int(redis.info("memory")["used_memory_dataset"])
        asyncio.run(_send_all(url, payloads))
        return int(redis.info("memory")["used_memory_dataset"]) - before


async def _send_all(url: str, payloads: list[bytes]) -> None:
    sender = CelerySender(url, 5.0)
    for payload in payloads:
        await sender.send(payload)
    sender.close()

"""P6: the cost of accepting a visit compared with a POST without a queue, and how fast one worker stores visits."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from sqlalchemy import func, select

from bench.client import Load
from bench.comparison import ResultLine, Turn, compare, cpu_ms, measure_alternately
from bench.processes import run_process, site, wait_until
from bench.references import post_mem
from config.settings import Settings
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.tables import Visit
from domain.visits import visits
from host.messaging.celery_sender import CelerySender
from host.supervisor import programs

PATH = "/api/SetAAUserTraceLog"
BODY = (
    '{"EventID":"{uuid}","LoginEmail":"","AAUserID":0,"CouponID":"","SessionID":"0b0e7a52-6a0c-4d4e-9c3e-8f6b1a2c3d4e",'
    '"Stunum":"","SpecialCouponID":"","Url":"/course-details?course=cross-border-vat"}'
)
REQUESTS = 6000
# Visits are batched for 50 ms: with fewer connections, the wait and small batches would be measured.
CONCURRENCY = 400
BATCH = 200
LIST = 40_000


def p6() -> list[ResultLine]:
    return [_measure_accepting("off", REQUESTS), _per_core(), _measure_accepting("on", REQUESTS), *_measure_storing()]


def _load(requests: int) -> Load:
    return Load(0, PATH, requests, CONCURRENCY, BODY, 202)


def _measure_accepting(limits: str, requests: int) -> ResultLine:
    """Host CPU on both sides. The worker's CPU belongs to storing, which has a line of its own."""
    # With limits on, the limits are raised beyond reach: only the counting is measured.
    lifted = {"VISITS_PER_SESSION_MINUTE": "1000000", "VISITS_PER_ADDRESS_MINUTE": "10000000"}
    with site("host", LIMITS=limits, **lifted) as ours, post_mem() as theirs:
        sides = (ours.process_group("host"), theirs)
        own, reference = measure_alternately(sides, _load(requests), warm_up_requests=2000)
    figure, base = cpu_ms(own), cpu_ms(reference)
    goal = 1.25 if limits == "off" else float("inf")
    line = compare(
        "P6",
        f"accept a visit, LIMITS={limits}, host CPU",
        goal,
        (figure, f"{figure * 1000:.0f} us"),
        (base, f"{base * 1000:.0f} us post-mem"),
    )
    return (
        line
        if limits == "off"
        else ResultLine("P6", line.what, "(for comparison)", line.figure, line.reference, line.ratio, None)
    )


def _per_core() -> ResultLine:
    with site("host", LIMITS="off") as ours:
        turns = measure_alternately((ours.process_group("host"),), _load(REQUESTS), warm_up_requests=2000)[0]
    rate = 1000 / cpu_ms(turns)
    seen = max(_rate(turn) for turn in turns)
    what = f"visits per second of host CPU ({seen:,.0f}/s seen)"
    return ResultLine("P6", what, ">= 10,000/s", f"{rate:,.0f}/s", "", None, rate >= 10_000)


def _rate(turn: Turn) -> float:
    return REQUESTS / turn.seen.seconds


def _measure_storing() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        folder = Path(name)
        settings = Settings.from_environment({"VAR_DIR": name})
        db = Database(database_url(settings.database, settings.var_dir), deadline_s=10)
        runner.upgrade(db.engine)
        in_place = _timed(lambda: _store_here(db))
        through = _through_celery(settings, db, folder)
        db.engine.dispose()
    goal = ">= 50,000/s"
    return [
        ResultLine(
            "P6", f"store visits in place, {BATCH} at once", goal, f"{in_place:,.0f}/s", "", None, in_place >= 50_000
        ),
        ResultLine("P6", f"one Celery worker, {BATCH} at once", goal, f"{through:,.0f}/s", "", None, through >= 50_000),
    ]


def _timed(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return LIST / (time.perf_counter() - began)


def _batches() -> list[list[dict[str, object]]]:
    at = datetime.now(UTC).isoformat()
    rows = [visits.NewVisit(str(uuid4()), at, "a-session", "shop", f"/shop?page={n}").as_dict() for n in range(LIST)]
    return [rows[start : start + BATCH] for start in range(0, LIST, BATCH)]


def _store_here(db: Database) -> None:
    for batch in _batches():
        with db.write_session() as session:
            visits.store_visits(session, batch, datetime.now(UTC))


def _stored_count(db: Database) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.count()).select_from(Visit)) or 0


def _through_celery(settings: Settings, db: Database, folder: Path) -> float:
    """Visits per second of a worker that empties a filled queue, timed from its first batch on."""
    binary = programs.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    before = _stored_count(db)
    redis = programs.redis(settings, binary, folder)
    url = f"unix://{folder}/redis.sock"
    with run_process(list(redis.command)):
        wait_until((folder / "redis.sock").exists, "Redis")
        sender = CelerySender(url, 5.0)
        asyncio.run(_send_all(sender))
        environment = {"REDIS_URL": url, "VAR_DIR": str(folder)}
        with run_process(list(programs.worker(settings).command), environment):
            wait_until(lambda: _stored_count(db) > before, "the first batch")
            first, began = _stored_count(db), time.perf_counter()
            wait_until(lambda: _stored_count(db) == before + LIST, "the last batch", 60)
            return (before + LIST - first) / (time.perf_counter() - began)


async def _send_all(sender: CelerySender) -> None:
    for batch in _batches():
        await sender.send(batch)
    sender.close()

"""P6: what accepting a visit costs beside the same POST with no queue, and how fast one worker stores them."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from sqlalchemy import func, select

from bench.client import Load
from bench.comparing import Line, Turn, against, cpu_ms, in_turns
from bench.processes import site, started, wait_until
from bench.references import post_mem
from domain import migrations, visits
from domain.db import Database
from domain.tables import Visit
from host import embedded
from host.broker import CelerySender
from host.settings import Settings

PATH = "/api/SetAAUserTraceLog"
BODY = (
    '{"EventID":"{uuid}","LoginEmail":"","AAUserID":0,"CouponID":"","SessionID":"0b0e7a52-6a0c-4d4e-9c3e-8f6b1a2c3d4e",'
    '"Stunum":"","SpecialCouponID":"","Url":"/course-details?course=cross-border-vat"}'
)
REQUESTS = 6000
# A visit waits 50 ms for company: fewer visitors at once would measure their waiting, and send small batches.
CONCURRENCY = 400
BATCH = 200
LIST = 40_000


def p6() -> list[Line]:
    return [_accepting("off", REQUESTS), _per_core(), _accepting("on", REQUESTS), *_storing()]


def _load(requests: int) -> Load:
    return Load(0, PATH, requests, CONCURRENCY, BODY, 202)


def _accepting(limits: str, requests: int) -> Line:
    """Host CPU alone on both sides: the worker's is the price of storing, and is its own line."""
    # With limits on, the budgets are lifted out of the way; their counting is what is measured.
    lifted = {"VISITS_PER_SESSION_MINUTE": "1000000", "VISITS_PER_ADDRESS_MINUTE": "10000000"}
    with site("host", LIMITS=limits, **lifted) as ours, post_mem() as theirs:
        sides = (ours.only("host"), theirs)
        own, reference = in_turns(sides, _load(requests), warm=2000)
    figure, base = cpu_ms(own), cpu_ms(reference)
    goal = 1.25 if limits == "off" else float("inf")
    line = against(
        "P6",
        f"accept a visit, LIMITS={limits}, host CPU",
        goal,
        (figure, f"{figure * 1000:.0f} us"),
        (base, f"{base * 1000:.0f} us post-mem"),
    )
    return (
        line
        if limits == "off"
        else Line("P6", line.what, "(for comparison)", line.figure, line.reference, line.ratio, None)
    )


def _per_core() -> Line:
    with site("host", LIMITS="off") as ours:
        turns = in_turns((ours.only("host"),), _load(REQUESTS), warm=2000)[0]
    rate = 1000 / cpu_ms(turns)
    seen = max(_rate(turn) for turn in turns)
    what = f"visits per second of host CPU ({seen:,.0f}/s seen)"
    return Line("P6", what, ">= 10,000/s", f"{rate:,.0f}/s", "", None, rate >= 10_000)


def _rate(turn: Turn) -> float:
    return REQUESTS / turn.seen.seconds


def _storing() -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        folder = Path(name)
        settings = Settings.from_environment({"VAR_DIR": name})
        db = Database(settings.database_url, deadline_s=10)
        migrations.upgrade(db.engine)
        in_place = _timed(lambda: _store_here(db))
        through = _through_celery(settings, db, folder)
        db.engine.dispose()
    goal = ">= 50,000/s"
    return [
        Line("P6", f"store visits in place, {BATCH} at once", goal, f"{in_place:,.0f}/s", "", None, in_place >= 50_000),
        Line("P6", f"one Celery worker, {BATCH} at once", goal, f"{through:,.0f}/s", "", None, through >= 50_000),
    ]


def _timed(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return LIST / (time.perf_counter() - began)


def _batches() -> list[list[dict[str, object]]]:
    at = datetime.now(UTC).isoformat()
    rows = [visits.Row(str(uuid4()), at, "a-session", "shop", f"/shop?page={n}").as_dict() for n in range(LIST)]
    return [rows[start : start + BATCH] for start in range(0, LIST, BATCH)]


def _store_here(db: Database) -> None:
    for batch in _batches():
        with db.session() as session:
            visits.store(session, batch, datetime.now(UTC))


def _stored(db: Database) -> int:
    with db.reading() as session:
        return session.scalar(select(func.count()).select_from(Visit)) or 0


def _through_celery(settings: Settings, db: Database, folder: Path) -> float:
    """The queue is filled first; timed is how fast a worker that comes up then empties it, from its first batch on."""
    binary = embedded.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    before = _stored(db)
    redis = embedded.redis(settings, binary, folder)
    url = f"unix://{folder}/redis.sock"
    with started(list(redis.command)):
        wait_until((folder / "redis.sock").exists, "Redis")
        sender = CelerySender(url, 5.0)
        asyncio.run(_send_all(sender))
        environment = {"REDIS_URL": url, "VAR_DIR": str(folder)}
        with started(list(embedded.worker(settings).command), environment):
            wait_until(lambda: _stored(db) > before, "the first batch")
            first, began = _stored(db), time.perf_counter()
            wait_until(lambda: _stored(db) == before + LIST, "the last batch", 60)
            return (before + LIST - first) / (time.perf_counter() - began)


async def _send_all(sender: CelerySender) -> None:
    for batch in _batches():
        await sender.send(batch)
    sender.close()

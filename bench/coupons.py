"""P7: the reply to a coupon call by an idle worker, compared with `AsyncResult.get` of an equal worker."""

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench import celery_reference
from bench.comparison import ResultLine, compare
from bench.processes import run_process, wait_until
from config.settings import Settings
from contracts.tasks import Task
from domain.coupons import create as coupon_create
from domain.coupons.create import CouponDraft
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.money import currency
from host.messaging.reply_channel import ReplyChannel, RpcFailed
from host.supervisor import programs

ROUNDS = 6
CALLS_PER_ROUND = 150
WARM = 50
DEADLINE_S = 5.0
START_S = 30.0
P99_MS = 15.0


def p7() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name, _workers(name) as url:
        ours, reference = asyncio.run(_measure(url))
    return _lines(ours, reference)


@contextlib.contextmanager
def _workers(name: str) -> Iterator[str]:
    """Runs Redis and both workers on a database with one coupon; yields the URL of Redis."""
    settings, folder = Settings.from_environment({"VAR_DIR": name}), Path(name)
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10)
    runner.upgrade(db.engine)
    with db.write_session() as session:
        coupon_create.create(session, "SPRING", CouponDraft("percent", Decimal(10), currency("USD")), datetime.now(UTC))
    db.engine.dispose()
    binary = programs.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    url = f"unix://{folder}/redis.sock"
    environment = {"REDIS_URL": url, "VAR_DIR": name}
    reference = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "bench.celery_reference",
        "--quiet",
        "worker",
        "-P",
        "threads",
        "-c",
        "2",
    ]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    with run_process(list(programs.redis(settings, binary, folder).command)):
        wait_until((folder / "redis.sock").exists, "Redis")
        with (
            run_process(list(programs.worker(settings).command), environment),
            run_process([*reference, "-Q", celery_reference.QUEUE, *quiet], environment),
        ):
            yield url


def _question() -> dict[str, Any]:
    return {"code": "SPRING", "learner_id": None, "at": datetime.now(UTC).isoformat()}


async def _measure(url: str) -> tuple[list[float], list[float]]:
    """Milliseconds of every reply of our worker and of the reference, measured alternately from one process."""
    replies = ReplyChannel(url, DEADLINE_S, DEADLINE_S)
    replies.open()
    reference = _Reference(url)
    await _wait_for_worker(replies)
    await asyncio.to_thread(reference.ask)
    ours: list[float] = []
    theirs: list[float] = []
    for turn in range(ROUNDS + 1):
        own = [await _time_call(replies) for _ in range(CALLS_PER_ROUND if turn else WARM)]
        other = [reference.timed() for _ in range(CALLS_PER_ROUND if turn else WARM)]
        if turn:
            ours += own
            theirs += other
    await replies.close()
    return ours, theirs


async def _wait_for_worker(replies: ReplyChannel) -> None:
    until = time.monotonic() + START_S
    while True:
        with contextlib.suppress(RpcFailed):
            await replies.call(Task.PING, {})
            return
        if time.monotonic() > until:
            raise RuntimeError("no worker replies")
        await asyncio.sleep(0.05)


async def _time_call(replies: ReplyChannel) -> float:
    began = time.perf_counter()
    reply = await replies.call(Task.DESCRIBE_CODE, _question())
    assert reply["value"] == "10.00"
    return (time.perf_counter() - began) * 1000


class _Reference:
    """Celery's client as in its manual."""

    def __init__(self, url: str):
        self._celery = celery_reference.create_celery(url)

    def ask(self) -> dict[str, Any]:
        result = self._celery.send_task(celery_reference.DESCRIBE, kwargs=_question(), queue=celery_reference.QUEUE)
        reply: dict[str, Any] = result.get(timeout=START_S)
        return reply

    def timed(self) -> float:
        began = time.perf_counter()
        assert self.ask()["value"] == "10.00"
        return (time.perf_counter() - began) * 1000


def _lines(ours: list[float], theirs: list[float]) -> list[ResultLine]:
    own, reference = median(ours), median(theirs)
    ninety_ninth = quantiles(ours, n=100)[98]
    figures = (own, f"{own:.2f} ms"), (reference, f"{reference:.2f} ms AsyncResult.get")
    return [
        compare("P7", "coupon reply by an idle worker, p50", 0.7, *figures),
        ResultLine(
            "P7", "the same, p99", f"<= {P99_MS:g} ms", f"{ninety_ninth:.2f} ms", "", None, ninety_ninth <= P99_MS
        ),
    ]

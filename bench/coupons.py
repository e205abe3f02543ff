"""P7: the answer to a coupon through an idle worker, beside `AsyncResult.get` of a worker that does the same."""

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

from bench import answering
from bench.comparing import Line, against
from bench.processes import started, wait_until
from domain import coupons, migrations
from domain.db import Database
from host import embedded
from host.replies import PING, NotAnswered, Replies
from host.settings import Settings

ROUNDS = 6
ASKED = 150
WARM = 50
DEADLINE_S = 5.0
START_S = 30.0
P99_MS = 15.0


def p7() -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name, _workers(name) as url:
        ours, theirs = asyncio.run(_measured(url))
    return _lines(ours, theirs)


@contextlib.contextmanager
def _workers(name: str) -> Iterator[str]:
    """Redis and both workers on one folder of records with one coupon; answers the address of Redis."""
    settings, folder = Settings.from_environment({"VAR_DIR": name}), Path(name)
    db = Database(settings.database_url, deadline_s=10)
    migrations.upgrade(db.engine)
    with db.session() as session:
        coupons.create(session, "SPRING", coupons.New("percent", Decimal(10)), datetime.now(UTC))
    db.engine.dispose()
    binary = embedded.redis_binary()
    if binary is None:
        raise RuntimeError("redis-server is missing")
    url = f"unix://{folder}/redis.sock"
    environment = {"REDIS_URL": url, "VAR_DIR": name}
    reference = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "bench.answering",
        "--quiet",
        "worker",
        "-P",
        "threads",
        "-c",
        "2",
    ]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    with started(list(embedded.redis(settings, binary, folder).command)):
        wait_until((folder / "redis.sock").exists, "Redis")
        with (
            started(list(embedded.worker(settings).command), environment),
            started([*reference, "-Q", answering.QUEUE, *quiet], environment),
        ):
            yield url


def _question() -> dict[str, Any]:
    return {"code": "SPRING", "learner_id": None, "at": datetime.now(UTC).isoformat()}


async def _measured(url: str) -> tuple[list[float], list[float]]:
    """Milliseconds of every answer, ours and theirs, taken in turns from one process."""
    replies = Replies(url, DEADLINE_S, DEADLINE_S)
    replies.open()
    reference = _Reference(url)
    await _awake(replies)
    await asyncio.to_thread(reference.ask)
    ours: list[float] = []
    theirs: list[float] = []
    for turn in range(ROUNDS + 1):
        own = [await _timed(replies) for _ in range(ASKED if turn else WARM)]
        other = [reference.timed() for _ in range(ASKED if turn else WARM)]
        if turn:
            ours += own
            theirs += other
    await replies.close()
    return ours, theirs


async def _awake(replies: Replies) -> None:
    until = time.monotonic() + START_S
    while True:
        with contextlib.suppress(NotAnswered):
            await replies.ask(PING, {})
            return
        if time.monotonic() > until:
            raise RuntimeError("no worker answers")
        await asyncio.sleep(0.05)


async def _timed(replies: Replies) -> float:
    began = time.perf_counter()
    found = await replies.ask("coupons.describe", _question())
    assert found["value"] == "10.00"
    return (time.perf_counter() - began) * 1000


class _Reference:
    """Celery's client as its manual shows it."""

    def __init__(self, url: str):
        self._celery = answering.celery_of(url)

    def ask(self) -> dict[str, Any]:
        asked = self._celery.send_task(answering.DESCRIBE, kwargs=_question(), queue=answering.QUEUE)
        found: dict[str, Any] = asked.get(timeout=START_S)
        return found

    def timed(self) -> float:
        began = time.perf_counter()
        assert self.ask()["value"] == "10.00"
        return (time.perf_counter() - began) * 1000


def _lines(ours: list[float], theirs: list[float]) -> list[Line]:
    own, reference = median(ours), median(theirs)
    ninety_ninth = quantiles(ours, n=100)[98]
    figures = (own, f"{own:.2f} ms"), (reference, f"{reference:.2f} ms AsyncResult.get")
    return [
        against("P7", "coupon answer through an idle worker, p50", 0.7, *figures),
        Line("P7", "the same, p99", f"<= {P99_MS:g} ms", f"{ninety_ninth:.2f} ms", "", None, ninety_ninth <= P99_MS),
    ]

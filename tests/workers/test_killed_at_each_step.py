"""A worker that is killed between claim, commit and removal loses no visit and stores none twice; nor do two workers at
the same batches, or hosts and workers of different builds."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from contracts.payloads import VisitBatch, encode
from domain.database.database import Database
from domain.visits.batches import COLUMNS, row_of
from tests.support.children import Children
from tests.support.servers import RedisServer
from tests.workers import storing_process
from tests.workers.test_failing_batches import NOTHING, batch, inline, letters, send, state, stored, visit
from workers import visit_batches, visits

__all__ = ["inline", "send"]
SENT = [f"/shop?n={number}" for number in range(1, 7)]


@dataclass
class Pipeline:
    """`send`: as a host does."""

    database: Database
    server: RedisServer
    children: Children
    send: Callable[[bytes], Awaitable[Any]]

    async def send_three(self) -> None:
        for first in (1, 3, 5):
            await self.send(batch(visit(first), visit(first + 1)))

    async def run(self, job: Callable[..., object], count: int = 1, **arguments: str) -> list[int]:
        """The exit codes of so many workers side by side."""
        address = self.database.url.render_as_string(hide_password=False)
        environment = {"DATABASE_URL": address, "REDIS_URL": self.server.url}
        pids = [self.children.start(job, environment, **arguments) for _ in range(count)]
        return [await asyncio.to_thread(self.children.wait, pid) for pid in pids]

    def found(self) -> tuple[list[str], tuple[int, int, int, int], list[str]]:
        """The visits that are stored, what waits in Redis, and the dead letters."""
        return stored(self.database), state(self.server), letters(self.database)

    def store_what_is_left(self) -> None:
        visit_batches.give_back_old(-1)
        visits.store_batches()


@pytest.fixture
def pipeline(inline, redis_server, children, send) -> Pipeline:
    return Pipeline(inline, redis_server, children, send)


@pytest.mark.each_database
@pytest.mark.parametrize(("moment", "found"), [("claimed", []), ("inserted", []), ("committed", SENT)])
async def test_a_worker_killed_at_any_step_leaves_each_visit_to_be_stored_once(pipeline, moment, found):
    await pipeline.send_three()
    assert await pipeline.run(storing_process.store_and_die, moment=moment) == [-signal.SIGKILL]
    assert pipeline.found() == (found, (3, 0, 3, 0), [])
    pipeline.store_what_is_left()
    assert pipeline.found() == (SENT, NOTHING, [])


async def test_a_worker_that_removes_what_it_claims_loses_it(pipeline):
    """Negative control."""
    await pipeline.send_three()
    assert await pipeline.run(storing_process.store_and_die, moment="removed") == [-signal.SIGKILL]
    pipeline.store_what_is_left()
    assert pipeline.found() == ([], NOTHING, [])


@pytest.mark.each_database
async def test_two_workers_store_the_same_visits_once(pipeline):
    """Each visit but two is in two of 40 batches."""
    for first in (*range(1, 41, 2), *range(2, 42, 2)):
        await pipeline.send(batch(visit(first), visit(first + 1)))
    assert await pipeline.run(storing_process.store_until_none_waits, 2) == [0, 0]
    pipeline.store_what_is_left()
    assert pipeline.found() == ([f"/shop?n={number}" for number in range(1, 42)], NOTHING, [])


def of_build(columns: list[str], rows: list[list[object]], **more: object) -> bytes:
    return orjson.dumps({**encode(VisitBatch(columns=columns, rows=rows)), **more})


@pytest.mark.each_database
async def test_visits_of_a_host_of_another_build_are_stored(pipeline):
    """One that knows fewer columns, in another order; one that knows more, and says more of the batch."""
    fewer = ["url", "visited_at", "event_id", "session_id"]
    by_name = dict(zip(COLUMNS, row_of(visit(1)), strict=True))
    await pipeline.send(of_build(fewer, [[by_name[name] for name in fewer]]))
    await pipeline.send(of_build([*COLUMNS, "mood"], [[*row_of(visit(2)), "fine"]], signed="no"))
    visits.store_batches()
    assert pipeline.found() == (SENT[:2], NOTHING, [])

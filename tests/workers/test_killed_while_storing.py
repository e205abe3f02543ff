"""A batch that kills the worker which stores it is claimed alone from then on, and counted."""

import sys
from collections.abc import Iterator

import pytest
import redis

from contracts.redis_keys import BATCHES, BATCHES_SINCE
from domain.database.database import Database
from host.messaging.celery_sender import CelerySender
from tests.support.servers import Process
from tests.support.waiting import until
from tests.workers.test_failing_batches import batch, good, inline, state, stored, visit
from tests.workers.visits_process import POISON
from workers import visit_batches, visits

__all__ = ["inline"]


class VisitsProcess(Process):
    def start(self, database: Database, redis_url: str) -> None:
        address = database.url.render_as_string(hide_password=False).replace("mysql+pymysql", "mysql").partition("?")[0]
        self._run(sys.executable, "-m", "tests.workers.visits_process", DATABASE_URL=address, REDIS_URL=redis_url)

    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None


@pytest.fixture
def worker() -> Iterator[VisitsProcess]:
    process = VisitsProcess()
    yield process
    process.close()


async def test_a_batch_that_kills_its_worker_while_it_stores_singly_takes_the_others_with_it_once(
    worker, inline, redis_server
):
    sender = CelerySender(redis_server.url, 2.0)
    for payload in (good(1), batch(visit(2, POISON)), good(3), good(4)):
        await sender.send(payload)
    sender.close()
    with redis.Redis.from_url(redis_server.url) as client:
        sent_at = dict(client.zrange(BATCHES_SINCE, 0, -1, withscores=True))
        worker.start(inline, redis_server.url)
        await until(worker.has_ended)
        worker.kill()
        assert (stored(inline), state(redis_server)) == (["/shop?n=1"], (3, 0, 3, 0))
        visit_batches.give_back_old(-1)
        # They are as old as before.
        assert dict(client.zrange(BATCHES_SINCE, 0, -1, withscores=True)) == {
            name: time for name, time in sent_at.items() if client.hexists(BATCHES, name)
        }
    assert state(redis_server) == (3, 3, 0, 3)
    claimed = visit_batches.claim()
    assert [POISON.encode() in item.payload for item in claimed.values()] == [True]
    visit_batches.give_back(claimed)
    visits.store_batches()
    assert (stored(inline), state(redis_server)) == (["/shop?n=1", POISON, "/shop?n=3", "/shop?n=4"], (0, 0, 0, 0))

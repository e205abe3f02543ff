"""A batch that kills the worker which stores it is claimed alone from then on, and counted."""

import asyncio
import signal

import redis

from contracts.redis_keys import BATCHES, BATCHES_SINCE
from host.messaging.celery_sender import CelerySender
from tests.workers import visits_process
from tests.workers.test_failing_batches import batch, good, inline, state, stored, visit
from tests.workers.visits_process import POISON
from workers import visit_batches, visits

__all__ = ["inline"]


async def test_a_batch_that_kills_its_worker_while_it_stores_singly_takes_the_others_with_it_once(
    children, inline, redis_server
):
    sender = CelerySender(redis_server.url, 2.0)
    for payload in (good(1), batch(visit(2, POISON)), good(3), good(4)):
        await sender.send(payload)
    sender.close()
    with redis.Redis.from_url(redis_server.url) as client:
        sent_at = dict(client.zrange(BATCHES_SINCE, 0, -1, withscores=True))
        address = inline.url.render_as_string(hide_password=False)
        environment = {"DATABASE_URL": address, "REDIS_URL": redis_server.url}
        pid = children.start(visits_process.store, environment)
        assert await asyncio.to_thread(children.wait, pid) == -signal.SIGKILL
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

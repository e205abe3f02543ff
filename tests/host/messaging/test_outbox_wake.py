"""After a commit that wrote a row of the outbox, a worker is woken; without Redis the visitor notices nothing."""

import json
from contextlib import asynccontextmanager

import pytest
import redis

from contracts.redis_keys import HEARTBEAT
from contracts.tasks import Queue, Task, Topic
from host.messaging.outbox_wake import OutboxWaker
from tests.host.api.test_contact import GOOD
from tests.support.servers import CeleryWorker
from tests.support.smtp import mail_sink
from tests.support.waiting import until

SENT = (202, {"status": "sent"})


def queued(server) -> list[str]:
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(text)["headers"]["task"] for text in client.lrange(Queue.MAIL, 0, -1)]


async def test_a_message_wakes_the_worker_that_sends_its_mail(open_site, redis_server, tmp_path):
    site = await open_site(REDIS_URL=redis_server.url)
    worker = CeleryWorker()
    async with mail_sink() as sink:
        # No beat runs: without the wake nothing would be sent.
        worker.start(redis_server.url, queues=[Queue.MAIL], VAR_DIR=str(tmp_path), SMTP_URL=sink.url)
        try:
            with redis.Redis.from_url(redis_server.url) as client:
                await until(lambda: client.exists(HEARTBEAT))
            assert await site.call("contact", GOOD) == SENT
            await until(lambda: sink.recipients == ["ada@example.test"])
        finally:
            worker.close()


async def test_a_refused_message_wakes_nobody(open_site, redis_server):
    site = await open_site(REDIS_URL=redis_server.url)
    assert (await site.call("contact", {**GOOD, "email": "a@[b.c"}))[0] == 422
    assert await site.call("contact", GOOD) == SENT
    await until(lambda: queued(redis_server))
    assert queued(redis_server) == [Task.SEND_MAIL]


async def test_wakes_that_come_together_share_a_message_and_a_later_one_is_not_lost(redis_server):
    waker = OutboxWaker(redis_server.url, 20)
    async with asynccontextmanager(waker.lifespan)(None):
        for _wake in range(5):
            waker.wake(Topic.MAIL)
        await until(lambda: queued(redis_server))
        waker.wake(Topic.MAIL)
        await until(lambda: len(queued(redis_server)) > 1)
    assert queued(redis_server) == [Task.SEND_MAIL] * 2


@pytest.mark.parametrize("fault", ["freeze", "stop"])
async def test_without_redis_a_message_is_accepted(open_site, redis_server, fault):
    site = await open_site(REDIS_URL=redis_server.url)
    getattr(redis_server, fault)()
    assert await site.call("contact", GOOD) == SENT

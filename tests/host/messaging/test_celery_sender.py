"""Batches on their way: through Celery to a real Redis, or in place without one."""

import asyncio
import base64
import json
import time

import pytest
import redis
from sqlalchemy import func, select

from domain.db import Database, database_url
from domain.tables import Visit
from domain.visits import Row
from host.broker import CHECK_EVERY_S, QUEUE, TASK, UNSTORED, CelerySender, InPlaceSender, kombu_url
from host.dispatch import NotSent
from host.embedded import redis_binary
from tests.conftest import missing
from tests.factories import NOON
from tests.host.world import Site
from tests.servers import RedisServer
from tests.waiting import until

ROWS = [Row(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url="/é📚").as_dict() for number in range(3)]


@pytest.fixture
async def sender(redis_server):
    made = CelerySender(redis_server.url, 2.0)
    await made.warm()
    yield made
    made.close()


def queued(server) -> list[dict]:
    """The messages that wait for a worker."""
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(text) for text in client.lrange(QUEUE, 0, -1)]


async def sent(sender) -> bool:
    try:
        await sender.send(ROWS)
    except NotSent:
        return False
    return True


async def test_a_batch_is_one_message_to_the_task_by_its_name(sender, redis_server):
    await sender.send(ROWS)
    (message,) = queued(redis_server)
    arguments, named, _ = json.loads(base64.b64decode(message["body"]))
    assert (message["headers"]["task"], arguments, named) == (TASK, [ROWS], {})
    assert message["content-type"] == "application/json"


async def test_a_redis_that_is_gone_is_said_at_once(sender, redis_server):
    await sender.send(ROWS)
    redis_server.stop()
    with pytest.raises(NotSent):
        await sender.send(ROWS)


async def test_a_frozen_redis_is_given_up_at_the_deadline(redis_server):
    sender = CelerySender(redis_server.url, 0.3)
    await sender.warm()
    redis_server.freeze()
    began = time.monotonic()
    with pytest.raises(NotSent, match=r"within 0\.3 s|did not take"):
        await sender.send(ROWS)
    assert 0.25 < time.monotonic() - began < 1.0
    redis_server.thaw()
    sender.close()


async def test_a_redis_that_comes_back_is_used_again(sender, redis_server):
    await sender.send(ROWS)
    redis_server.stop()
    with pytest.raises(NotSent):
        await sender.send(ROWS)
    redis_server.start()
    await until(lambda: sent(sender))
    assert len(queued(redis_server)) >= 2


async def test_the_loop_goes_on_while_a_frozen_redis_is_waited_for(redis_server):
    sender = CelerySender(redis_server.url, 1.0)
    await sender.warm()
    redis_server.freeze()
    sending = asyncio.create_task(sender.send(ROWS))
    longest, before = 0.0, time.monotonic()
    while not sending.done():
        await asyncio.sleep(0.001)
        now = time.monotonic()
        longest, before = max(longest, now - before), now
    with pytest.raises(NotSent):
        await sending
    assert longest < 0.6
    redis_server.thaw()
    sender.close()


def test_kombu_writes_a_sockets_address_in_its_own_way():
    assert kombu_url("unix:///tmp/redis.sock") == "redis+socket:///tmp/redis.sock"
    assert kombu_url("redis://host:6379/0") == "redis://host:6379/0"


async def test_without_a_broker_the_same_function_stores_in_place(sqlite_database):
    db = Database(sqlite_database.url)
    await InPlaceSender(db).send(ROWS)
    with db.reading() as session:
        assert session.scalar(select(func.count()).select_from(Visit)) == 3
    await db.close()


async def test_without_broker_and_records_a_batch_is_not_sent(tmp_path):
    db = Database(database_url(None, tmp_path / "nowhere"))
    with pytest.raises(NotSent, match="cannot be reached"):
        await InPlaceSender(db).send(ROWS)
    await db.close()


async def test_visits_of_a_site_go_to_redis_and_to_the_spool_while_it_is_away(open_site, redis_server):
    site: Site = await open_site(REDIS_URL=redis_server.url, LIMITS="off", BROKER_DEADLINE_MS="2000")
    assert (await site.call("SetAAUserTraceLog", {"Url": "/1"}))[0] == 202
    assert len(queued(redis_server)) == 1
    redis_server.stop()
    assert (await site.call("SetAAUserTraceLog", {"Url": "/2"}))[0] == 202
    spool = site.settings.var_dir / "spool"
    assert len(list(spool.glob("*.json"))) == 1
    redis_server.start()
    await until(lambda: not list(spool.glob("*.json")))
    urls = [json.loads(base64.b64decode(one["body"]))[0][0][0]["url"] for one in queued(redis_server)]
    # A Redis that was away may have lost what it took last: that is sent again, and counts once.
    assert set(urls) == {"/1", "/2"}


@pytest.fixture
def forgetful():
    """A Redis that writes nothing down: killed, it has lost all that it said yes to."""
    binary = redis_binary()
    if binary is None:
        missing("Redis (redis-server)")
    server = RedisServer(str(binary), appendonly="no")
    server.start()
    yield server
    server.close()


def noted(server) -> int:
    with redis.Redis.from_url(server.url) as client:
        return client.hlen(UNSTORED)


async def lost_and_back(sender, server) -> None:
    await sender.send(ROWS)
    assert noted(server) == 1
    server.kill()
    server.start()
    assert noted(server) == 0


async def test_what_a_killed_redis_took_down_is_sent_again_once(forgetful):
    sender = CelerySender(forgetful.url, 2.0)
    await lost_and_back(sender, forgetful)
    keeping = asyncio.create_task(sender.keep_safe())
    await until(lambda: noted(forgetful) == 1)
    assert len(queued(forgetful)) == 1
    await asyncio.sleep(3 * CHECK_EVERY_S)
    keeping.cancel()
    assert (noted(forgetful), len(queued(forgetful))) == (1, 1)
    sender.close()


async def test_without_keeping_safe_it_stays_lost(forgetful):
    """The negative control."""
    sender = CelerySender(forgetful.url, 2.0)
    await lost_and_back(sender, forgetful)
    await sender.send(ROWS)
    assert len(queued(forgetful)) == 1
    sender.close()


async def test_with_redis_steady_nothing_is_sent_again(sender, redis_server):
    keeping = asyncio.create_task(sender.keep_safe())
    await sender.send(ROWS)
    await asyncio.sleep(3 * CHECK_EVERY_S)
    keeping.cancel()
    assert len(queued(redis_server)) == 1

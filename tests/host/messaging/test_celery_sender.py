"""Senders of batches: through Celery to a real Redis, or inline without one."""

import asyncio
import base64
import json
import time

import pytest
import redis
from sqlalchemy import func, select

from config.defaults import celery_broker_url
from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import PENDING_BATCHES
from contracts.tasks import Queue, Task
from domain.database.database import Database, database_url
from domain.tables import Visit
from domain.visits.visits import NewVisit
from host.messaging import celery_sender
from host.messaging.celery_sender import CelerySender, InlineSender
from host.messaging.visit_queue import PublishFailed
from host.supervisor.programs import redis_binary
from tests.conftest import missing
from tests.host.site import Site
from tests.support.factories import NOON
from tests.support.servers import RedisServer
from tests.support.waiting import until

ROWS = [
    NewVisit(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url="/é📚").as_dict() for number in range(3)
]


@pytest.fixture
async def sender(redis_server):
    opened = CelerySender(redis_server.url, 2.0)
    await opened.warm()
    yield opened
    opened.close()


def queued(server) -> list[dict]:
    """The messages in the queue."""
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(text) for text in client.lrange(Queue.VISITS, 0, -1)]


async def sent(sender) -> bool:
    try:
        await sender.send(ROWS)
    except PublishFailed:
        return False
    return True


async def test_a_batch_is_one_message_to_the_named_task(sender, redis_server):
    await sender.send(ROWS)
    (message,) = queued(redis_server)
    arguments, named, _ = json.loads(base64.b64decode(message["body"]))
    assert (message["headers"]["task"], arguments) == (Task.STORE_VISITS, [])
    assert named == {"batch": encode(VisitBatch(rows=ROWS))}
    assert message["content-type"] == "application/json"


async def test_a_stopped_redis_fails_at_once(sender, redis_server):
    await sender.send(ROWS)
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await sender.send(ROWS)


async def test_a_frozen_redis_fails_at_the_deadline(redis_server):
    sender = CelerySender(redis_server.url, 0.3)
    await sender.warm()
    redis_server.freeze()
    started_at = time.monotonic()
    with pytest.raises(PublishFailed, match=r"within 0\.3 s|did not take"):
        await sender.send(ROWS)
    assert 0.25 < time.monotonic() - started_at < 10
    redis_server.thaw()
    sender.close()


async def test_a_restarted_redis_is_used_again(sender, redis_server):
    await sender.send(ROWS)
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await sender.send(ROWS)
    redis_server.start()
    await until(lambda: sent(sender))
    assert len(queued(redis_server)) >= 2


async def test_a_frozen_redis_does_not_block_the_event_loop(redis_server):
    sender = CelerySender(redis_server.url, 1.0)
    await sender.warm()
    redis_server.freeze()
    sending = asyncio.create_task(sender.send(ROWS))
    turns = 0

    def is_sent() -> bool:
        nonlocal turns
        turns += 1
        return sending.done()

    await until(is_sent)
    with pytest.raises(PublishFailed):
        await sending
    # A blocked loop would have two: before the wait for Redis and after it.
    assert turns > 5
    redis_server.thaw()
    sender.close()


def test_the_broker_url_of_a_socket_is_in_kombus_form():
    assert celery_broker_url("unix:///tmp/redis.sock") == "redis+socket:///tmp/redis.sock"
    assert celery_broker_url("redis://host:6379/0") == "redis://host:6379/0"


async def test_without_a_broker_the_same_function_stores_inline(sqlite_database):
    db = Database(sqlite_database.url)
    await InlineSender(db).send(ROWS)
    with db.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Visit)) == 3
    await db.close()


async def test_without_broker_and_database_sending_fails(tmp_path):
    db = Database(database_url(None, tmp_path / "nowhere"))
    with pytest.raises(PublishFailed, match="database is unavailable"):
        await InlineSender(db).send(ROWS)
    await db.close()


async def test_visits_go_to_redis_and_while_it_is_unavailable_to_the_spool(open_site, redis_server):
    site: Site = await open_site(REDIS_URL=redis_server.url, LIMITS="off", BROKER_DEADLINE_MS="2000")
    assert (await site.call("SetAAUserTraceLog", {"Url": "/1"}))[0] == 202
    assert len(queued(redis_server)) == 1
    redis_server.stop()
    assert (await site.call("SetAAUserTraceLog", {"Url": "/2"}))[0] == 202
    spool = site.settings.var_dir / "spool"
    assert len(list(spool.glob("*.json"))) == 1
    redis_server.start()
    await until(lambda: not list(spool.glob("*.json")))
    urls = [
        json.loads(base64.b64decode(message["body"]))[1]["batch"]["rows"][0]["url"] for message in queued(redis_server)
    ]
    # Redis may have lost the last batches: they are sent again, and storing them twice has no effect.
    assert set(urls) == {"/1", "/2"}


@pytest.fixture
def forgetful():
    """A Redis without persistence: after a kill it has lost everything that it confirmed."""
    binary = redis_binary()
    if binary is None:
        missing("Redis (redis-server)")
    server = RedisServer(str(binary), appendonly="no")
    server.start()
    yield server
    server.close()


def noted(server) -> int:
    with redis.Redis.from_url(server.url) as client:
        return client.hlen(PENDING_BATCHES)


async def lost_and_back(sender, server) -> None:
    await sender.send(ROWS)
    assert noted(server) == 1
    server.kill()
    server.start()
    assert noted(server) == 0


async def three_checks(sender, monkeypatch) -> None:
    """Waits until the sender has looked three more times whether batches were lost."""
    checks, check = [], sender._replay_if_reconnected
    monkeypatch.setattr(celery_sender, "CHECK_EVERY_S", 0.01)
    monkeypatch.setattr(sender, "_replay_if_reconnected", lambda: checks.append(check()))
    await until(lambda: len(checks) >= 3)


async def test_batches_lost_by_a_killed_redis_are_sent_again_once(forgetful, monkeypatch):
    sender = CelerySender(forgetful.url, 2.0)
    await lost_and_back(sender, forgetful)
    sender.loop.start()
    # The note is written before the message.
    await until(lambda: len(queued(forgetful)) == 1)
    assert noted(forgetful) == 1
    await three_checks(sender, monkeypatch)
    await sender.loop.stop()
    assert (noted(forgetful), len(queued(forgetful))) == (1, 1)
    sender.close()


async def test_without_the_replay_they_stay_lost(forgetful):
    """Negative control."""
    sender = CelerySender(forgetful.url, 2.0)
    await lost_and_back(sender, forgetful)
    await sender.send(ROWS)
    assert len(queued(forgetful)) == 1
    sender.close()


async def test_without_a_new_connection_nothing_is_sent_again(sender, redis_server, monkeypatch):
    sender.loop.start()
    await sender.send(ROWS)
    await three_checks(sender, monkeypatch)
    await sender.loop.stop()
    assert len(queued(redis_server)) == 1

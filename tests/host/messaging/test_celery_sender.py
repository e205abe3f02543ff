"""Senders of batches: to workers over a real Redis, or inline without one."""

import asyncio
import base64
import json
import time
from contextlib import asynccontextmanager

import orjson
import pytest
import redis
from sqlalchemy import func, select

from config.defaults import celery_broker_url
from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import BATCHES, BATCHES_SINCE
from contracts.tasks import Queue, Task
from domain.database.database import Database, database_url
from domain.tables import Visit
from domain.visits.batches import COLUMNS, row_of
from domain.visits.visits import NewVisit
from host.messaging import celery_sender
from host.messaging.celery_sender import CelerySender, InlineSender
from host.messaging.spool import Spool
from host.messaging.visit_queue import PublishFailed, VisitQueue
from tests.conftest import missing
from tests.host.site import Site
from tests.support.factories import NOON
from tests.support.servers import RedisServer, redis_server_binary
from tests.support.waiting import until
from workers import visit_batches

ROWS = [row_of(NewVisit(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url="/é📚")) for number in range(3)]
BATCH = orjson.dumps(encode(VisitBatch(columns=list(COLUMNS), rows=ROWS)))


@pytest.fixture
async def sender(redis_server):
    opened = CelerySender(redis_server.url, 2.0)
    yield opened
    opened.close()


def queued(server) -> list[dict]:
    """The messages in the queue."""
    with redis.Redis.from_url(server.url) as client:
        return [json.loads(text) for text in client.lrange(Queue.VISIT_BATCHES, 0, -1)]


def waiting(server) -> list[bytes]:
    """The batches that wait, the oldest first. Read at one moment: a sender may add one meanwhile."""
    with redis.Redis.from_url(server.url) as client, client.pipeline() as pipe:
        ids, batches = pipe.zrange(BATCHES_SINCE, 0, -1).hgetall(BATCHES).execute()
    assert batches.keys() == set(ids)
    return [batches[batch] for batch in ids]


async def sent(sender) -> bool:
    try:
        await sender.send(BATCH)
    except PublishFailed:
        return False
    return True


async def test_a_batch_waits_once_and_a_message_says_so(sender, redis_server):
    await sender.send(BATCH)
    assert waiting(redis_server) == [BATCH]
    (message,) = queued(redis_server)
    arguments, named, _ = json.loads(base64.b64decode(message["body"]))
    assert (message["headers"]["task"], arguments, named) == (Task.STORE_VISIT_BATCHES, [], {})
    assert message["content-type"] == "application/json"


async def test_there_are_messages_for_all_batches_that_wait_and_no_more(sender, redis_server):
    for _ in range(celery_sender.BATCHES_A_MESSAGE * 2):
        await sender.send(BATCH)
    assert (len(waiting(redis_server)), len(queued(redis_server))) == (20, 2)
    with redis.Redis.from_url(redis_server.url) as client:
        client.delete(Queue.VISIT_BATCHES)
    # Messages that were lost are replaced.
    await sender.send(BATCH)
    assert (len(waiting(redis_server)), len(queued(redis_server))) == (21, 1)


def test_a_message_is_sent_for_as_many_batches_as_a_worker_takes():
    assert celery_sender.BATCHES_A_MESSAGE == visit_batches.MAX_BATCHES


async def test_a_stopped_redis_fails_at_once(sender, redis_server):
    await sender.send(BATCH)
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await sender.send(BATCH)


async def test_a_frozen_redis_fails_at_the_deadline(redis_server):
    sender = CelerySender(redis_server.url, 0.3)
    redis_server.freeze()
    started_at = time.monotonic()
    with pytest.raises(PublishFailed, match=r"within 0\.3 s|did not take"):
        await sender.send(BATCH)
    assert 0.25 < time.monotonic() - started_at < 10
    redis_server.thaw()
    sender.close()


async def test_a_restarted_redis_is_used_again(sender, redis_server):
    await sender.send(BATCH)
    redis_server.stop()
    with pytest.raises(PublishFailed):
        await sender.send(BATCH)
    redis_server.start()
    await until(lambda: sent(sender))
    assert len(waiting(redis_server)) >= 2


async def test_a_frozen_redis_does_not_block_the_event_loop(redis_server):
    sender = CelerySender(redis_server.url, 1.0)
    redis_server.freeze()
    sending = asyncio.create_task(sender.send(BATCH))
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
    await InlineSender(db).send(BATCH)
    with db.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Visit)) == 3
    await db.close()


async def test_without_broker_and_database_sending_fails(tmp_path):
    db = Database(database_url(None, tmp_path / "nowhere"))
    with pytest.raises(PublishFailed, match="database is unavailable"):
        await InlineSender(db).send(BATCH)
    await db.close()


async def test_visits_go_to_redis_and_while_it_is_unavailable_to_the_spool(open_site, redis_server):
    site: Site = await open_site(REDIS_URL=redis_server.url, LIMITS="off", BROKER_DEADLINE_MS="2000")
    assert (await site.call("SetAAUserTraceLog", {"Url": "/1"}))[0] == 202
    assert len(waiting(redis_server)) == 1
    redis_server.stop()
    assert (await site.call("SetAAUserTraceLog", {"Url": "/2"}))[0] == 202
    spool = site.settings.var_dir / "spool"
    assert len(list(spool.glob("*.json"))) == 1
    redis_server.start()
    await until(lambda: not list(spool.glob("*.json")))
    at = COLUMNS.index("url")
    urls = [json.loads(payload)["rows"][0][at] for payload in waiting(redis_server)]
    # Redis may have lost the last batches: they are sent again, and storing them twice has no effect.
    assert set(urls) == {"/1", "/2"}


def spooled(folder) -> list:
    return list((folder / "spool").glob("*.json"))


async def test_what_a_host_without_a_broker_has_spooled_is_sent_once_there_is_one(redis_server, tmp_path, sender):
    await _spool(InlineSender(Database(database_url(None, tmp_path / "nowhere"))), tmp_path, BATCH)
    async with _draining(sender, tmp_path):
        await until(lambda: not spooled(tmp_path))
    assert waiting(redis_server) == [BATCH]


async def test_what_a_host_has_spooled_without_its_broker_is_stored_by_one_that_has_none(
    sqlite_database, redis_server, tmp_path, sender
):
    redis_server.stop()
    await _spool(sender, tmp_path, BATCH)
    async with _draining(InlineSender(sqlite_database), tmp_path):
        await until(lambda: not spooled(tmp_path))
    redis_server.start()
    with sqlite_database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Visit)) == 3


async def _spool(sender, folder, payload: bytes) -> None:
    with pytest.raises(PublishFailed):
        await sender.send(payload)
    Spool(folder / "spool", 2**20).write(payload)
    assert len(spooled(folder)) == 1


@asynccontextmanager
async def _draining(sender, folder):
    """The queue of a host, which sends what is in its spool."""
    queue = VisitQueue(sender.send, Spool(folder / "spool", 2**20), 500, 0.05, 100)
    async for _ in queue.lifespan(None):
        yield


@pytest.fixture
def forgetful():
    """A Redis without persistence: after a kill it has lost everything that it confirmed."""
    binary = redis_server_binary()
    if binary is None:
        missing("Redis (redis-server)")
    server = RedisServer(str(binary), appendonly="no")
    server.start()
    yield server
    server.close()


async def lost_and_back(sender, server) -> None:
    await sender.send(BATCH)
    assert waiting(server) == [BATCH]
    server.kill()
    server.start()
    assert waiting(server) == []


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
    await until(lambda: waiting(forgetful) == [BATCH])
    await three_checks(sender, monkeypatch)
    await sender.loop.stop()
    assert (waiting(forgetful), len(queued(forgetful))) == ([BATCH], 1)
    sender.close()


async def test_without_the_replay_they_stay_lost(forgetful):
    """Negative control."""
    sender = CelerySender(forgetful.url, 2.0)
    await lost_and_back(sender, forgetful)
    other = BATCH.replace("é".encode(), b"e")
    await sender.send(other)
    assert waiting(forgetful) == [other]
    sender.close()


async def test_without_a_new_connection_nothing_is_sent_again(sender, redis_server, monkeypatch):
    sender.loop.start()
    await sender.send(BATCH)
    await three_checks(sender, monkeypatch)
    await sender.loop.stop()
    assert waiting(redis_server) == [BATCH]

"""Visits are stored through a real Celery worker and a real Redis."""

from collections.abc import Iterator

import orjson
import pytest
import redis
from celery.exceptions import Reject
from sqlalchemy import make_url, select

from contracts import payloads
from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import (
    BATCHES,
    BATCHES_SINCE,
    CLAIMED_BATCHES,
    HEARTBEAT,
    NEWER_BATCHES,
    UNKNOWN_KINDS,
)
from domain.database.database import Database, database_url
from domain.tables import Base, DeadLetter, Visit
from domain.visits.batches import COLUMNS, row_of
from domain.visits.visits import NewVisit
from host.messaging.celery_sender import CelerySender
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker, RedisServer
from tests.support.waiting import until
from workers import heartbeat
from workers import visits as tasks


def visit(number: int) -> NewVisit:
    return NewVisit(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url=f"/shop?n={number}&q=📚")


def batch(*numbers: int) -> bytes:
    """As a host sends it."""
    rows = [row_of(visit(number)) for number in numbers]
    return orjson.dumps(encode(VisitBatch(columns=list(COLUMNS), rows=rows)))


def url(number: int) -> str:
    return visit(number).url


BATCH = batch(*range(1, 201))
URLS = [url(number) for number in range(1, 201)]


@pytest.fixture
def worker(redis_server: RedisServer) -> Iterator[CeleryWorker]:
    """It is stopped before Redis is: without its broker a worker may not notice for long that it is to end."""
    celery_worker = CeleryWorker()
    yield celery_worker
    celery_worker.close()


@pytest.fixture
async def sender(redis_server):
    celery_sender = CelerySender(redis_server.url, 2.0)
    yield celery_sender
    celery_sender.close()


def stored(db: Database) -> list[str]:
    with db.read_session() as session:
        return list(session.scalars(select(Visit.url).order_by(Visit.event_id)))


def waiting(redis_server) -> tuple[int, int, int]:
    """How many batches there are, how many of them wait and how many are claimed."""
    with redis.Redis.from_url(redis_server.url) as client:
        return client.hlen(BATCHES), client.zcard(BATCHES_SINCE), client.zcard(CLAIMED_BATCHES)


NOTHING = (0, 0, 0)


def address_of(db: Database) -> str:
    text = db.url.render_as_string(hide_password=False)
    return text.replace("mysql+pymysql", "mysql").partition("?")[0]


async def test_a_batch_waits_for_the_database_and_is_stored_once_however_often_it_is_sent(
    worker, sender, redis_server, tmp_path
):
    db = Database(database_url(None, tmp_path))
    worker.start(redis_server.url, VAR_DIR=str(tmp_path))
    await sender.send(BATCH)
    # The worker has tried to use a table that does not exist yet.
    await until((tmp_path / "coursefront.db").exists)
    assert waiting(redis_server)[0] == 1
    Base.metadata.create_all(db.engine)
    await until(lambda: waiting(redis_server) == NOTHING)
    await sender.send(BATCH)
    await until(lambda: waiting(redis_server) == NOTHING)
    assert stored(db) == URLS
    db.engine.dispose()


@pytest.fixture
def inline(database, redis_server, monkeypatch) -> Database:
    """The tasks called in this process, with this test's database and Redis."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    return database


@pytest.mark.each_database
async def test_one_task_stores_the_oldest_batches_and_the_next_one_the_others(inline, sender, redis_server):
    for number in range(1, 13):
        await sender.send(batch(number))
    tasks.store_batches()
    assert (stored(inline), waiting(redis_server)) == (URLS[:10], (2, 2, 0))
    tasks.store_batches()
    tasks.store_batches()
    assert (stored(inline), waiting(redis_server)) == (URLS[:12], NOTHING)


@pytest.mark.each_database
async def test_a_bad_row_becomes_a_dead_letter_and_the_others_are_stored(inline, sender, redis_server):
    await sender.send(batch(1, 2))
    await sender.send(batch(3).replace(b"null", b'"seven"', 1))
    await sender.send(b"no JSON")
    tasks.store_batches()
    assert (stored(inline), waiting(redis_server)) == (URLS[:2], NOTHING)
    with inline.read_session() as session:
        letters = [(letter.task, letter.body) for letter in session.scalars(select(DeadLetter).order_by(DeadLetter.id))]
    assert [task for task, _ in letters] == ["visits.store"] * 2
    assert (letters[0][1]["url"], letters[1][1]) == (url(3), "no JSON")


@pytest.fixture
def broken_database(inline, monkeypatch) -> None:
    """One where nothing listens."""
    nobody = Database(make_url("mysql+pymysql://nobody@127.0.0.1:1/none"))
    monkeypatch.setattr(tasks, "database", lambda: nobody)
    monkeypatch.setattr(tasks, "RETRY_AFTER_S", 0.0)


async def test_while_the_database_is_unavailable_batches_wait_and_the_message_returns(
    inline, sender, redis_server, broken_database
):
    for number in range(1, 13):
        await sender.send(batch(number))
    before = sent_at(redis_server)
    with pytest.raises(Reject) as rejected:
        tasks.store_batches()
    assert (rejected.value.requeue, waiting(redis_server)) == (True, (12, 12, 0))
    assert sent_at(redis_server) == before


def sent_at(redis_server) -> list[tuple[bytes, float]]:
    """The batches that wait, with the time when each was sent."""
    with redis.Redis.from_url(redis_server.url) as client:
        return client.zrange(BATCHES_SINCE, 0, -1, withscores=True)


@pytest.mark.each_database
async def test_what_a_killed_worker_had_claimed_is_stored_after_a_time(inline, sender, redis_server, monkeypatch):
    await sender.send(BATCH)
    assert [claimed.payload for claimed in tasks.visit_batches.claim().values()] == [BATCH]
    tasks.store_batches()
    tasks.store_overdue()
    assert (stored(inline), waiting(redis_server)) == ([], (1, 0, 1))
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    tasks.store_overdue()
    assert (stored(inline), waiting(redis_server)) == (URLS, NOTHING)


async def test_a_batch_whose_message_was_lost_is_stored_when_overdue(inline, sender, redis_server, monkeypatch):
    await sender.send(BATCH)
    tasks.store_overdue()
    assert (stored(inline), waiting(redis_server)) == ([], (1, 1, 0))
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    tasks.store_overdue()
    assert (stored(inline), waiting(redis_server)) == (URLS, NOTHING)


async def test_a_batch_that_was_given_back_while_its_worker_stored_it_does_not_wait_again(inline, sender, redis_server):
    await sender.send(BATCH)
    claimed = tasks.visit_batches.claim()
    tasks.visit_batches.give_back_old(-1)
    assert waiting(redis_server) == (1, 1, 0)
    tasks.visit_batches.remove(list(claimed))
    tasks.visit_batches.give_back(claimed)
    assert waiting(redis_server) == NOTHING


async def test_large_batches_are_stored_in_more_than_one_transaction(inline, sender, redis_server, monkeypatch):
    monkeypatch.setattr(tasks.visit_batches, "MAX_BYTES", 2 * len(batch(1)))
    for number in range(1, 13):
        await sender.send(batch(number))
    assert len(tasks.visit_batches.claim()) == 2
    tasks.store_batches()
    assert (stored(inline), waiting(redis_server)) == (URLS[2:12], (2, 0, 2))


async def test_a_batch_that_is_larger_than_a_claim_is_stored(inline, sender, redis_server, monkeypatch):
    monkeypatch.setattr(tasks.visit_batches, "MAX_BYTES", 1)
    await sender.send(BATCH)
    tasks.store_batches()
    assert (stored(inline), waiting(redis_server)) == (URLS, NOTHING)


async def test_a_batch_of_a_newer_version_waits_for_a_newer_worker(inline, sender, redis_server, monkeypatch):
    await sender.send(orjson.dumps({"v": 3, "rows": [], "packed": True}))
    tasks.store_batches()
    tasks.store_overdue()
    with redis.Redis.from_url(redis_server.url) as client:
        (name,) = client.hkeys(NEWER_BATCHES)
        assert (stored(inline), waiting(redis_server), name[:2]) == ([], NOTHING, b"3:")
        # As the newer worker reads it.
        client.hset(NEWER_BATCHES, name, batch(1).replace(b'"v":2', b'"v":3'))
    monkeypatch.setattr(VisitBatch, "v", 3)
    monkeypatch.setattr(VisitBatch.__dataclass_fields__["v"], "default", 3)
    tasks.store_overdue()
    with redis.Redis.from_url(redis_server.url) as client:
        assert (stored(inline), client.hlen(NEWER_BATCHES)) == (URLS[:1], 0)


def set_aside(redis_server) -> tuple[int, int]:
    """How many batches wait for a worker of a newer version, and for one that knows their kind."""
    with redis.Redis.from_url(redis_server.url) as client:
        return client.hlen(NEWER_BATCHES), client.hlen(UNKNOWN_KINDS)


@pytest.mark.parametrize("kind", ["counts", "a:b"])
async def test_a_batch_of_an_unknown_kind_waits_for_a_worker_that_knows_it(
    inline, sender, redis_server, monkeypatch, kind
):
    """Its version is that of today."""
    await sender.send(batch(1).replace(b'"visits"', f'"{kind}"'.encode()))
    for task in (tasks.store_batches, tasks.store_overdue, tasks.store_overdue):
        task()
        assert (stored(inline), waiting(redis_server), set_aside(redis_server)) == ([], NOTHING, (0, 1))
    monkeypatch.setattr(payloads, "VISIT_KINDS", {"visits", kind})
    tasks.store_overdue()
    assert (stored(inline), set_aside(redis_server)) == (URLS[:1], (0, 0))


async def test_a_batch_of_a_newer_version_and_an_unknown_kind_waits_for_both(inline, sender, redis_server, monkeypatch):
    await sender.send(batch(1).replace(b'"v":2', b'"v":3').replace(b'"visits"', b'"counts"'))
    tasks.store_batches()
    assert set_aside(redis_server) == (1, 0)
    monkeypatch.setattr(VisitBatch, "v", 3)
    monkeypatch.setattr(VisitBatch.__dataclass_fields__["v"], "default", 3)
    tasks.store_overdue()
    assert (stored(inline), set_aside(redis_server)) == ([], (0, 1))
    monkeypatch.setattr(payloads, "VISIT_KINDS", {"visits", "counts"})
    tasks.store_overdue()
    assert (stored(inline), set_aside(redis_server)) == (URLS[:1], (0, 0))


def test_the_heartbeat_writes_its_time(inline, redis_server):
    heartbeat.heartbeat()
    with redis.Redis.from_url(redis_server.url) as client:
        assert float(client.get(HEARTBEAT)) > 0
        assert 0 < client.ttl(HEARTBEAT) <= 30

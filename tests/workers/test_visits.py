"""Visits are stored through a real Celery worker and a real Redis."""

from collections.abc import Iterator

import pytest
import redis
from celery.exceptions import Reject
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import FORMER_HEARTBEAT, HEARTBEAT, NEWER_BATCHES, PENDING_BATCHES
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.tables import DeadLetter, Visit
from domain.visits.visits import NewVisit
from host.messaging.celery_sender import CelerySender
from tests.support.factories import NOON
from tests.support.servers import CeleryWorker
from tests.support.waiting import until
from workers import heartbeat
from workers import visits as tasks


def row(number: int) -> dict:
    return NewVisit(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url=f"/shop?n={number}&q=📚").as_dict()


ROWS = [row(number) for number in range(1, 201)]
URLS = [visit["url"] for visit in ROWS]


@pytest.fixture
def worker() -> Iterator[CeleryWorker]:
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


def pending(redis_server) -> int:
    with redis.Redis.from_url(redis_server.url) as client:
        return client.hlen(PENDING_BATCHES)


def address_of(db: Database) -> str:
    text = db.url.render_as_string(hide_password=False)
    return text.replace("mysql+pymysql", "mysql").partition("?")[0]


async def test_a_batch_of_the_host_is_stored_once_however_often_it_is_sent(worker, sender, redis_server, database):
    worker.start(redis_server.url, DATABASE_URL=address_of(database))
    await sender.send(ROWS)
    await sender.send(ROWS)
    await until(lambda: stored(database) and pending(redis_server) == 0)
    assert stored(database) == URLS


async def test_while_the_database_is_unavailable_a_batch_stays_and_is_stored_later(
    worker, sender, redis_server, tmp_path
):
    db = Database(database_url(None, tmp_path))
    worker.start(redis_server.url, VAR_DIR=str(tmp_path))
    await sender.send(ROWS)
    # The worker has tried to use a table that does not exist yet.
    await until((tmp_path / "coursefront.db").exists)
    assert pending(redis_server) == 1
    runner.upgrade(db.engine)
    await until(lambda: pending(redis_server) == 0)
    assert stored(db) == URLS
    db.engine.dispose()


@pytest.fixture
def inline(database, redis_server, monkeypatch) -> Database:
    """The tasks called in this process, with this test's database and Redis."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    return database


def test_the_task_stores_its_rows(inline):
    tasks.store(ROWS)
    tasks.store(ROWS)
    assert stored(inline) == URLS


def test_a_bad_row_becomes_a_dead_letter_and_the_others_are_stored(inline):
    tasks.store([row(1), {**row(2), "at": "2026-03-01T12:00:00"}, row(3)])
    assert stored(inline) == [URLS[0], URLS[2]]
    with inline.read_session() as session:
        assert [letter.task for letter in session.scalars(select(DeadLetter))] == ["visits.store"]


def test_a_batch_returns_to_the_queue_while_the_database_is_unavailable(inline, monkeypatch):
    def fail(*_arguments: object) -> None:
        raise OperationalError("INSERT", {}, Exception("gone"))

    monkeypatch.setattr(tasks.visits, "store_visits", fail)
    monkeypatch.setattr(tasks, "RETRY_AFTER_S", 0.0)
    with pytest.raises(Reject) as rejected:
        tasks.store(ROWS)
    assert rejected.value.requeue is True


async def test_a_batch_whose_message_was_lost_is_stored_when_overdue(inline, sender, redis_server, monkeypatch):
    sender._register_pending("lost", encode(VisitBatch(rows=ROWS)))
    tasks.store_overdue()
    assert (stored(inline), pending(redis_server)) == ([], 1)
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    tasks.store_overdue()
    assert (stored(inline), pending(redis_server)) == (URLS, 0)


async def test_a_batch_of_a_newer_host_waits_for_a_newer_worker(inline, sender, redis_server, monkeypatch):
    newer = {"v": 2, "rows": ROWS, "packed": True}
    sender._register_pending("newer", newer)
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    tasks.store_overdue()
    tasks.store(batch=newer)
    with redis.Redis.from_url(redis_server.url) as client:
        names = sorted(client.hkeys(NEWER_BATCHES))
    assert (stored(inline), pending(redis_server), b"2:newer" in names, len(names)) == ([], 0, True, 2)
    # The newer worker reads version 2.
    monkeypatch.setattr(VisitBatch, "v", 2)
    monkeypatch.setattr(VisitBatch.__dataclass_fields__["v"], "default", 2)
    tasks.store_overdue()
    with redis.Redis.from_url(redis_server.url) as client:
        assert (stored(inline), client.hlen(NEWER_BATCHES)) == (URLS, 0)


def test_a_payload_that_is_no_batch_becomes_a_dead_letter(inline):
    tasks.store(batch={"rows": "none"})
    with inline.read_session() as session:
        assert [letter.body for letter in session.scalars(select(DeadLetter))] == [{"rows": "none"}]


def test_the_heartbeat_writes_its_time(inline, redis_server):
    heartbeat.heartbeat()
    with redis.Redis.from_url(redis_server.url) as client:
        for key in (HEARTBEAT, FORMER_HEARTBEAT):
            assert float(client.get(key)) > 0
            assert 0 < client.ttl(key) <= 30

"""The visits' way to the records through a real Celery worker and a real Redis."""

from collections.abc import Iterator

import pytest
import redis
from celery.exceptions import Reject
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from domain import migrations
from domain.db import Database, database_url
from domain.tables import DeadLetter, Visit
from domain.visits import Row
from host.broker import UNSTORED, CelerySender
from host.health import HEARTBEAT_KEY
from tests.factories import NOON
from tests.servers import CeleryWorker
from tests.waiting import until
from workers import health, ledger
from workers import visits as tasks


def row(number: int) -> dict:
    return Row(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url=f"/shop?n={number}&q=📚").as_dict()


ROWS = [row(number) for number in range(1, 201)]
URLS = [one["url"] for one in ROWS]


@pytest.fixture
def worker() -> Iterator[CeleryWorker]:
    made = CeleryWorker()
    yield made
    made.close()


@pytest.fixture
async def sender(redis_server):
    made = CelerySender(redis_server.url, 2.0)
    yield made
    made.close()


def stored(db: Database) -> list[str]:
    with db.reading() as session:
        return list(session.scalars(select(Visit.url).order_by(Visit.event_id)))


def unstored(redis_server) -> int:
    with redis.Redis.from_url(redis_server.url) as client:
        return client.hlen(UNSTORED)


def address_of(db: Database) -> str:
    text = db.url.render_as_string(hide_password=False)
    return text.replace("mysql+pymysql", "mysql").partition("?")[0]


async def test_a_batch_of_the_host_is_stored_once_however_often_it_is_sent(worker, sender, redis_server, database):
    worker.start(redis_server.url, DATABASE_URL=address_of(database))
    await sender.send(ROWS)
    await sender.send(ROWS)
    await until(lambda: stored(database) and unstored(redis_server) == 0, deadline_s=30)
    assert stored(database) == URLS


async def test_while_the_records_are_away_a_batch_stays_and_is_stored_later(worker, sender, redis_server, tmp_path):
    records = Database(database_url(None, tmp_path))
    worker.start(redis_server.url, VAR_DIR=str(tmp_path))
    await sender.send(ROWS)
    # The worker has asked for the table that is not there yet.
    await until((tmp_path / "coursefront.db").exists, deadline_s=30)
    assert unstored(redis_server) == 1
    migrations.upgrade(records.engine)
    await until(lambda: unstored(redis_server) == 0, deadline_s=30)
    assert stored(records) == URLS
    records.engine.dispose()


@pytest.fixture
def in_place(database, redis_server, monkeypatch) -> Database:
    """The tasks called in this process, on this test's records and Redis."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    monkeypatch.setattr(ledger, "_redis", None)
    return database


def test_the_task_stores_what_it_is_given(in_place):
    tasks.store(ROWS)
    tasks.store(ROWS)
    assert stored(in_place) == URLS


def test_a_bad_row_is_kept_apart_and_the_others_are_stored(in_place):
    tasks.store([row(1), {**row(2), "at": "2026-03-01T12:00:00"}, row(3)])
    assert stored(in_place) == [URLS[0], URLS[2]]
    with in_place.reading() as session:
        assert [one.task for one in session.scalars(select(DeadLetter))] == ["visits.store"]


def test_a_batch_goes_back_to_the_queue_while_the_records_are_away(in_place, monkeypatch):
    def away(*_about: object) -> None:
        raise OperationalError("INSERT", {}, Exception("gone"))

    monkeypatch.setattr(tasks.visits, "store", away)
    monkeypatch.setattr(tasks, "PAUSE_S", 0.0)
    with pytest.raises(Reject) as rejected:
        tasks.store(ROWS)
    assert rejected.value.requeue is True


async def test_a_batch_whose_message_was_lost_is_stored_by_the_sweep(in_place, sender, redis_server, monkeypatch):
    sender._note("lost", ROWS)
    tasks.sweep()
    assert (stored(in_place), unstored(redis_server)) == ([], 1)
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    tasks.sweep()
    assert (stored(in_place), unstored(redis_server)) == (URLS, 0)


def test_the_beat_leaves_its_trace(in_place, redis_server):
    health.beat()
    with redis.Redis.from_url(redis_server.url) as client:
        assert float(client.get(HEARTBEAT_KEY)) > 0
        assert 0 < client.ttl(HEARTBEAT_KEY) <= 30

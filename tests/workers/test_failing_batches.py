"""A batch of visits that cannot be stored delays no other, and of its visits only the bad ones become dead letters."""

from collections.abc import Iterator

import orjson
import pytest
import redis
from celery.exceptions import Reject
from sqlalchemy import select, text

from contracts.payloads import VisitBatch, encode
from contracts.redis_keys import (
    BATCH_FAILURES,
    BATCHES,
    BATCHES_SINCE,
    CLAIMED_BATCHES,
)
from domain.database.database import Database
from domain.tables import DeadLetter, Visit
from domain.visits import batches, storing
from domain.visits.batches import COLUMNS, row_of
from domain.visits.visits import NewVisit
from host.messaging.celery_sender import CelerySender
from tests.support.factories import NOON
from workers import visits as tasks

NOTHING = (0, 0, 0, 0)
POISON = "/poison"


def visit(number: int, url: str = "") -> NewVisit:
    return NewVisit(f"00000000-0000-4000-8000-{number:012}", NOON.isoformat(), url=url or f"/shop?n={number}")


def batch(*visits: NewVisit) -> bytes:
    return orjson.dumps(encode(VisitBatch(columns=list(COLUMNS), rows=[row_of(item) for item in visits])))


def good(number: int) -> bytes:
    return batch(visit(number))


def poisoned(number: int) -> bytes:
    """A batch with a good visit and one that the database does not take."""
    return batch(visit(number), visit(number + 1, POISON))


@pytest.fixture
async def send(redis_server):
    sender = CelerySender(redis_server.url, 2.0)
    yield sender.send
    sender.close()


@pytest.fixture
def inline(database, redis_server, monkeypatch) -> Database:
    """The tasks called in this process, with this test's database and Redis."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    monkeypatch.setattr(tasks, "database", lambda: database)
    monkeypatch.setattr(tasks, "RETRY_AFTER_S", 0.0)
    return database


TRIGGERS = {
    "sqlite": "CREATE TRIGGER poison BEFORE INSERT ON visits WHEN NEW.url = '/poison' BEGIN SELECT json('{'); END",
    "mysql": "CREATE TRIGGER poison BEFORE INSERT ON visits FOR EACH ROW"
    " IF NEW.url = '/poison' THEN SIGNAL SQLSTATE '45000'; END IF",
}


@pytest.fixture
def lasting_error(inline) -> Iterator[None]:
    """The error of the driver is that of a database which is away, and it lasts."""
    with inline.write_session() as session:
        session.execute(text(TRIGGERS[inline.engine.dialect.name]))
    yield
    with inline.write_session() as session:
        session.execute(text("DROP TRIGGER poison"))


def stored(db: Database) -> list[str]:
    with db.read_session() as session:
        return list(session.scalars(select(Visit.url).order_by(Visit.event_id)))


def letters(db: Database) -> list[str]:
    with db.read_session() as session:
        return [letter.body["url"] for letter in session.scalars(select(DeadLetter))]


def state(redis_server) -> tuple[int, int, int, int]:
    """How many batches there are, how many wait, are claimed, and have failed."""
    with redis.Redis.from_url(redis_server.url) as client:
        waiting, claimed = client.zcard(BATCHES_SINCE), client.zcard(CLAIMED_BATCHES)
        return client.hlen(BATCHES), waiting, claimed, client.hlen(BATCH_FAILURES)


@pytest.mark.each_database
async def test_only_the_batch_with_a_bad_row_is_stored_row_by_row(inline, send, redis_server, monkeypatch):
    singly = []
    store_one = batches.store_one
    monkeypatch.setattr(batches, "store_one", lambda *arguments: (singly.append(arguments[1]), store_one(*arguments)))
    await send(good(1))
    await send(batch(visit(2), visit(3, POISON)).replace(b"null", b'"seven"', 1))
    await send(good(4))
    tasks.store_batches()
    assert (stored(inline), letters(inline)) == (["/shop?n=1", POISON, "/shop?n=4"], ["/shop?n=2"])
    assert (len(singly), state(redis_server)) == (2, NOTHING)


@pytest.mark.each_database
async def test_a_lasting_error_delays_no_other_batch_and_costs_the_bad_visit_alone(
    inline, send, redis_server, monkeypatch, lasting_error
):
    monkeypatch.setattr(tasks, "OVERDUE_S", -1)
    await send(poisoned(1))
    for number, failures in ((11, 1), (12, 2)):
        await send(good(number))
        tasks.store_batches()
        # It is claimed, so that no message finds it, until it is given back, which counts.
        assert (stored(inline)[-1], state(redis_server)[:3]) == (f"/shop?n={number}", (1, 0, 1))
        tasks.visit_batches.give_back_old(-1)
        assert tasks.visit_batches.failures_of(*names(redis_server)) == failures
    await send(good(13))
    tasks.store_batches()
    assert stored(inline) == [f"/shop?n={number}" for number in (1, 11, 12, 13)]
    assert (letters(inline), state(redis_server)) == ([POISON], NOTHING)


def names(redis_server) -> list[str]:
    with redis.Redis.from_url(redis_server.url) as client:
        return [name.decode() for name in client.hkeys(BATCHES)]


async def test_no_failure_is_counted_of_a_batch_that_another_worker_has_stored(inline, send, redis_server):
    await send(good(1))
    claimed = tasks.visit_batches.claim()
    tasks.visit_batches.remove(list(claimed))
    tasks.visit_batches.give_back_old(-1)
    assert state(redis_server) == NOTHING


async def test_more_bad_batches_than_a_claim_takes_do_not_stop_the_newest(inline, send, redis_server, lasting_error):
    for number in range(10, 34, 2):
        await send(poisoned(number))
    await send(good(1))
    tasks.store_batches()
    assert (stored(inline), state(redis_server)) == (["/shop?n=1"], (12, 2, 10, 0))


async def test_while_no_batch_can_be_stored_none_is_at_fault(inline, send, redis_server, lasting_error):
    """It may be the database: nothing is counted, and the batches wait for a message."""
    for number in (1, 3):
        await send(poisoned(number))
    for _ in range(tasks.MAX_FAILURES + 1):
        with pytest.raises(Reject):
            tasks.store_batches()
    assert (stored(inline), letters(inline), state(redis_server)) == ([], [], (2, 2, 0, 0))


async def test_a_batch_that_an_unexpected_error_stops_is_stored_row_by_row(inline, send, redis_server, monkeypatch):
    def fail(*_arguments):
        raise RuntimeError("a bug")

    monkeypatch.setattr(batches, "insert_visits", fail)
    await send(batch(visit(1), visit(2)))
    tasks.store_batches()
    assert (stored(inline), letters(inline), state(redis_server)) == (["/shop?n=1", "/shop?n=2"], [], NOTHING)


async def test_a_batch_that_takes_longer_than_a_task_is_finished_by_a_later_one(
    inline, send, redis_server, monkeypatch
):
    """The task is ended while it stores the last part: the others stay."""
    store_batch = storing.store_batch

    def end(session, part, at):
        if len(part.rows) == 1:
            raise SystemExit
        return store_batch(session, part, at)

    monkeypatch.setattr(batches, "PART_ROWS", 2)
    monkeypatch.setattr(tasks, "MAX_FAILURES", 1)
    with monkeypatch.context() as patch:
        patch.setattr(storing, "store_several", lambda *_: 1 / 0)
        patch.setattr(storing, "store_batch", end)
        await send(batch(*(visit(number) for number in range(1, 6))))
        with pytest.raises(SystemExit):
            tasks.store_batches()
    assert (len(stored(inline)), state(redis_server)[0]) == (4, 1)
    tasks.store_batches()
    assert (len(stored(inline)), letters(inline), state(redis_server)) == (5, [], NOTHING)

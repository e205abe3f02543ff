"""db.read and db.run: what is committed, what is not, and what happens when the records cannot be reached in time."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from bench.processes import free_port
from domain.db import Database, database_url
from domain.errors import Unavailable
from domain.tables import CatalogueVersion

DEADLINE_S = 0.4


def put(session, number: int) -> None:
    session.merge(CatalogueVersion(id=1, number=number))
    session.flush()


def number(session) -> int | None:
    found = session.get(CatalogueVersion, 1)
    return None if found is None else found.number


def put_and_fail(session) -> None:
    put(session, 9)
    raise ZeroDivisionError


@pytest.fixture
async def records(database: Database):
    """The database with a deadline of its own, closed inside the test's loop."""
    db = Database(database.url, deadline_s=10)
    yield db
    await db.close()


async def test_what_run_writes_is_there_for_read(records):
    assert await records.run(put, 7) is None
    assert await records.read(number) == 7


async def test_arguments_and_answers_pass_through(records):
    assert await records.read(lambda session, one, *, two: (one, two), 1, two=2) == (1, 2)


async def test_nothing_is_committed_when_the_function_raises(records):
    await records.run(put, 7)
    with pytest.raises(ZeroDivisionError):
        await records.run(put_and_fail)
    assert await records.read(number) == 7


def test_nothing_of_a_session_is_committed_when_its_block_raises(database):
    with pytest.raises(ZeroDivisionError), database.session() as session:
        put_and_fail(session)
    with database.reading() as session:
        assert number(session) is None


async def test_a_cancelled_call_leaves_the_pool_whole(records):
    await records.run(put, 1)
    task = asyncio.create_task(records.run(put, 3))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # It may have been done all the same; nobody knows, and nobody is kept from the records.
    found = await asyncio.gather(*(records.read(number) for _ in range(20)))
    assert set(found) <= {1, 3}


async def test_many_writers_at_once_all_get_their_turn(records):
    def add(session) -> None:
        counter = session.get_one(CatalogueVersion, 1, with_for_update=True)
        counter.number += 1

    await records.run(put, 0)
    await asyncio.gather(*(records.run(add) for _ in range(30)))
    assert await records.read(number) == 30


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another process's long write."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        connection.connection.dbapi_connection.isolation_level = None
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


@pytest.fixture
async def impatient(sqlite_database):
    db = Database(sqlite_database.url, deadline_s=DEADLINE_S)
    yield db
    await db.close()


async def test_a_write_during_a_long_lock_is_refused_in_time_and_never_committed(impatient, tmp_path):
    await impatient.run(put, 1)
    began = time.monotonic()
    with locked(tmp_path / "coursefront.db"):
        with pytest.raises(Unavailable, match="cannot be reached just now"):
            await impatient.run(put, 2)
        took = time.monotonic() - began
        assert await impatient.read(number) == 1
    assert took < DEADLINE_S + 0.2
    assert await impatient.read(number) == 1


async def test_a_write_that_takes_longer_than_anybody_waits_is_not_committed(impatient):
    await impatient.run(put, 1)
    ended = threading.Event()

    def slow(session, value):
        put(session, value)
        time.sleep(DEADLINE_S + 0.2)
        ended.set()

    with pytest.raises(Unavailable):
        await impatient.run(slow, 2)
    await asyncio.to_thread(ended.wait)
    # One writer at a time: once this one is through, the slow one has ended, one way or the other.
    await impatient.run(lambda _session: None)
    assert await impatient.read(number) == 1


async def test_after_the_lock_writing_goes_on(impatient, tmp_path):
    with locked(tmp_path / "coursefront.db"), pytest.raises(Unavailable):
        await impatient.run(put, 2)
    await impatient.run(put, 3)
    assert await impatient.read(number) == 3


async def test_a_crowd_of_writers_during_a_lock_is_refused_in_time_and_nothing_comes_later(impatient, tmp_path):
    await impatient.run(put, 1)
    with locked(tmp_path / "coursefront.db"):
        began = time.monotonic()
        refused = await asyncio.gather(*(impatient.run(put, 2) for _ in range(20)), return_exceptions=True)
        took = time.monotonic() - began
    assert [type(one) for one in refused] == [Unavailable] * 20
    assert took < DEADLINE_S + 0.3
    assert await impatient.read(number) == 1


@pytest.fixture
async def on_mariadb(mariadb_records):
    db = Database(mariadb_records.url, deadline_s=DEADLINE_S)
    yield db
    await db.close()


@contextmanager
def frozen(db: Database) -> Iterator[None]:
    """The private MariaDB of these tests, stopped in its tracks."""
    with db.engine.connect() as connection:
        pid = int(Path(connection.scalar(text("SELECT @@pid_file"))).read_text())
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.mariadb
async def test_a_frozen_mariadb_is_given_up_in_time_and_used_again_afterwards(on_mariadb):
    await on_mariadb.run(put, 1)
    with frozen(on_mariadb):
        began = time.monotonic()
        refused = await asyncio.gather(*(on_mariadb.read(number) for _ in range(20)), return_exceptions=True)
        took = time.monotonic() - began
    assert [type(one) for one in refused] == [Unavailable] * 20
    assert took < DEADLINE_S + 0.3
    assert await on_mariadb.read(number) == 1


async def test_a_mariadb_that_is_not_there_is_said_so():
    db = Database(database_url(f"mysql://root@127.0.0.1:{free_port()}/shop", Path()))
    with pytest.raises(Unavailable, match="cannot be reached just now"):
        await db.read(number)
    await db.close()


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (None, "sqlite:////var/shop/coursefront.db"),
        ("", "sqlite:////var/shop/coursefront.db"),
        ("mysql://ada:x@db:3307/shop", "mysql+pymysql://ada:x@db:3307/shop?charset=utf8mb4"),
        ("mariadb://ada:x@db/shop", "mysql+pymysql://ada:x@db/shop?charset=utf8mb4"),
        ("sqlite:////tmp/other.db", "sqlite:////tmp/other.db"),
    ],
)
def test_the_address_of_the_records(given, made):
    assert database_url(given, Path("/var/shop")).render_as_string(hide_password=False) == made


def test_another_kind_of_database_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="must begin with mysql:// or be left out"):
        database_url("postgresql://db/shop", Path())

"""db.read and db.write: what is committed, what is not, and what happens when the database is unavailable."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from domain.database.database import Database, database_url
from domain.errors import ServiceUnavailable
from domain.tables import CatalogueVersion
from tests.conftest import mariadb_program
from tests.support import databases
from tests.support.servers import MariaServer, free_port
from tests.support.waiting import until

pytestmark = pytest.mark.each_database

DEADLINE_S = 0.4
# Far below the time a call without a deadline would take: it would wait until the lock is released, after the check.
IN_TIME_S = DEADLINE_S + 8


def put(session, number: int) -> None:
    session.merge(CatalogueVersion(id=1, number=number))
    session.flush()


def number(session) -> int | None:
    row = session.get(CatalogueVersion, 1)
    return None if row is None else row.number


def put_and_fail(session) -> None:
    put(session, 9)
    raise ZeroDivisionError


@pytest.fixture
async def db(database: Database):
    """The database with a deadline of its own, closed inside the test's loop."""
    own = Database(database.url, deadline_s=10)
    yield own
    await own.close()


async def test_read_sees_what_write_committed(db):
    assert await db.write(put, 7) is None
    assert await db.read(number) == 7


async def test_many_rows_are_read_by_a_connection_that_caches_little(db):
    await db.write(put, 7)
    assert await db.read_many(number) == 7
    if db.is_sqlite:
        assert [await read(cache_kb) for read in (db.read, db.read_many, db.read)] == [32_000, 2_000, 32_000]


def cache_kb(session) -> int:
    return -session.execute(text("PRAGMA cache_size")).scalar_one()


async def test_arguments_and_results_pass_through(db):
    assert await db.read(lambda session, first, *, second: (first, second), 1, second=2) == (1, 2)


async def test_nothing_is_committed_when_the_function_raises(db):
    await db.write(put, 7)
    with pytest.raises(ZeroDivisionError):
        await db.write(put_and_fail)
    assert await db.read(number) == 7


def test_nothing_of_a_session_is_committed_when_its_block_raises(database):
    with pytest.raises(ZeroDivisionError), database.write_session() as session:
        put_and_fail(session)
    with database.read_session() as session:
        assert number(session) is None


async def test_a_cancelled_call_leaves_the_pool_usable(db):
    await db.write(put, 1)
    task = asyncio.create_task(db.write(put, 3))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # The write may have been committed all the same, and every later call gets a connection.
    numbers = await asyncio.gather(*(db.read(number) for _ in range(20)))
    assert set(numbers) <= {1, 3}


async def test_many_concurrent_writers_all_succeed(db):
    def add(session) -> None:
        counter = session.get_one(CatalogueVersion, 1, with_for_update=True)
        counter.number += 1

    await db.write(put, 0)
    await asyncio.gather(*(db.write(add) for _ in range(30)))
    assert await db.read(number) == 30


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """A long write of another process."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        connection.connection.dbapi_connection.isolation_level = None
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


@pytest.fixture
async def patient(sqlite_database):
    """For what happens before and after a lock: a deadline that a busy machine keeps too."""
    db = Database(sqlite_database.url, deadline_s=30)
    await db.write(put, 1)
    yield db
    await db.close()


@pytest.fixture
async def impatient(patient):
    db = Database(patient.url, deadline_s=DEADLINE_S)
    yield db
    await db.close()


async def test_a_write_during_a_long_lock_is_refused_in_time_and_never_committed(patient, impatient, tmp_path):
    began = time.monotonic()
    with locked(tmp_path / "coursefront.db"):
        with pytest.raises(ServiceUnavailable, match="temporarily unavailable"):
            await impatient.write(put, 2)
        took = time.monotonic() - began
        assert await patient.read(number) == 1
    assert took < IN_TIME_S
    assert await patient.read(number) == 1


async def test_a_write_beyond_its_deadline_is_not_committed(patient, impatient):
    is_refused, has_ended = threading.Event(), threading.Event()

    def write_slowly(session, value):
        put(session, value)
        is_refused.wait()
        has_ended.set()

    with pytest.raises(ServiceUnavailable):
        await impatient.write(write_slowly, 2)
    is_refused.set()
    await asyncio.to_thread(has_ended.wait)
    # SQLite has one writer at a time: once this write is committed, the slow one has ended.
    await patient.write(lambda _session: None)
    assert await patient.read(number) == 1


async def test_writing_works_again_after_the_lock(patient, impatient, tmp_path):
    with locked(tmp_path / "coursefront.db"), pytest.raises(ServiceUnavailable):
        await impatient.write(put, 2)
    # Repeated, as callers do: on a busy machine one call may miss its deadline.
    await until(lambda: succeeds(impatient.write(put, 3)))
    assert await patient.read(number) == 3


async def succeeds(call) -> bool:
    try:
        await call
    except ServiceUnavailable:
        return False
    return True


async def test_concurrent_writers_during_a_lock_are_refused_in_time_and_never_committed(patient, impatient, tmp_path):
    with locked(tmp_path / "coursefront.db"):
        began = time.monotonic()
        errors = await asyncio.gather(*(impatient.write(put, 2) for _ in range(20)), return_exceptions=True)
        took = time.monotonic() - began
    assert [type(error) for error in errors] == [ServiceUnavailable] * 20
    assert took < IN_TIME_S
    assert await patient.read(number) == 1


@pytest.fixture
def own_mariadb() -> Iterator[MariaServer]:
    """A server for this test alone, because it is frozen; the other tests share one."""
    server = MariaServer(mariadb_program())
    server.start()
    yield server
    server.close()


@pytest.mark.mariadb
async def test_calls_to_a_frozen_mariadb_fail_in_time_and_succeed_afterwards(own_mariadb):
    migrated = databases.migrated_schema(own_mariadb.url)
    migrated.engine.dispose()
    patient, impatient = Database(migrated.url, deadline_s=30), Database(migrated.url, deadline_s=DEADLINE_S)
    await patient.write(put, 1)
    await until(lambda: succeeds(impatient.read(number)))
    await until(lambda: succeeds(impatient.select_inline(number)))
    own_mariadb.freeze()
    began = time.monotonic()
    calls = [call(number) for call in (impatient.read, impatient.select_inline) for _ in range(20)]
    errors = await asyncio.gather(*calls, return_exceptions=True)
    took = time.monotonic() - began
    own_mariadb.thaw()
    assert [type(error) for error in errors] == [ServiceUnavailable] * 40
    assert took < IN_TIME_S
    await until(lambda: succeeds(impatient.read(number)))
    await until(lambda: succeeds(impatient.select_inline(number)))
    assert (await patient.read(number), await patient.select_inline(number)) == (1, 1)
    await asyncio.gather(patient.close(), impatient.close())


async def test_a_mariadb_that_is_not_running_raises_service_unavailable():
    db = Database(database_url(f"mysql://root@127.0.0.1:{free_port()}/shop", Path()), deadline_s=30)
    for call in (db.read, db.select_inline):
        with pytest.raises(ServiceUnavailable, match="temporarily unavailable"):
            await call(number)
    await db.close()


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        (None, "sqlite:////var/shop/coursefront.db"),
        ("", "sqlite:////var/shop/coursefront.db"),
        ("mysql://ada:x@db:3307/shop", "mysql+pymysql://ada:x@db:3307/shop?charset=utf8mb4"),
        ("mariadb://ada:x@db/shop", "mysql+pymysql://ada:x@db/shop?charset=utf8mb4"),
        ("sqlite:////tmp/other.db", "sqlite:////tmp/other.db"),
    ],
)
def test_the_url_of_the_database(setting, url):
    assert database_url(setting, Path("/var/shop")).render_as_string(hide_password=False) == url


def test_another_kind_of_database_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="must begin with mysql:// or be left out"):
        database_url("postgresql://db/shop", Path())

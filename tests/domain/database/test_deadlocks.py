"""What Database does again on MariaDB: what a deadlock has ended, and what another transaction has inserted first."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from pymysql.err import OperationalError as MySQLError
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.database import database as database_module
from domain.database.database import Database
from domain.database.savepoints import error_in_savepoint
from domain.permissions import SystemActor
from domain.tables import Coupon
from tests.support import factories
from tests.support.factories import NOON

Change = Callable[[Session, str], str]


@pytest.fixture
def db(database) -> Database:
    with database.write_session() as session:
        for code in ("A", "B"):
            factories.coupon(session, code)
    return database


class Crossing:
    """Locks two rows in either order; the first two calls wait in between until both hold a lock."""

    def __init__(self) -> None:
        self._gate = threading.Barrier(2)
        self.tries = 0

    def lock(self, session, codes: str) -> str:
        first, second = codes
        self.tries += 1
        session.execute(select(Coupon).where(Coupon.code == first.casefold()).with_for_update())
        if self.tries <= 2:
            self._gate.wait(10)
        session.scalars(select(Coupon).where(Coupon.code == second.casefold()).with_for_update()).one().uses += 1
        return codes


def in_savepoint(session, work: Callable[[], object]) -> None:
    with session.begin_nested():
        work()


def in_recorded_savepoint(session, work: Callable[[], object]) -> None:
    def change(session) -> None:
        recording.no_change(session)
        with recording.savepoint(session):
            work()

    recording.run(session, SystemActor("command", NOON), change)


def raised_anew(_session, work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        raise ValueError("the coupons cannot be counted") from error


def raised_anew_without_cause(_session, work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        raise ValueError("the coupons cannot be counted") from None


def gone_on(session, work: Callable[[], object]) -> None:
    """What is counted after the deadlock would be committed alone."""
    with suppress(Exception):
        work()
    session.execute(update(Coupon).values(total_limit=7))


WAYS = {
    "raised anew": raised_anew,
    "raised anew without its cause": raised_anew_without_cause,
    "gone on": gone_on,
    "whole": lambda _session, work: work(),
    "savepoint": in_savepoint,
    "recorded savepoint": in_recorded_savepoint,
    "caught in a savepoint": error_in_savepoint,
}


def write_as_workers(db: Database, change: Change, codes: str) -> str:
    return db.write_sync(change, codes)


def write_as_hosts(db: Database, change: Change, codes: str) -> str:
    async def write() -> str:
        own = Database(db.url, deadline_s=30)
        try:
            return await own.write(change, codes)
        finally:
            await own.close()

    # Each in a loop of its own: the gate stops the whole loop.
    return asyncio.run(write())


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("write", [write_as_workers, write_as_hosts])
async def test_both_transactions_of_a_deadlock_are_committed(db, way, write):
    crossing = Crossing()

    def change(session, codes: str) -> str:
        WAYS[way](session, lambda: crossing.lock(session, codes))
        return codes

    done = await asyncio.gather(*(asyncio.to_thread(write, db, change, codes) for codes in ("AB", "BA")))
    assert done == ["AB", "BA"]
    assert crossing.tries == 3
    with db.read_session() as session:
        assert session.scalars(select(Coupon.uses).order_by(Coupon.display_code)).all() == [1, 1]


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
@pytest.mark.parametrize("write", [write_as_workers, write_as_hosts])
async def test_without_repeats_one_of_them_gets_the_error(db, write, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(database_module, "REPEAT_PAUSES_S", ())
    crossing = Crossing()
    attempts = (asyncio.to_thread(write, db, crossing.lock, codes) for codes in ("AB", "BA"))
    done = await asyncio.gather(*attempts, return_exceptions=True)
    assert [type(each) for each in done].count(str) == 1
    assert crossing.tries == 2


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
async def test_a_deadlock_every_time_is_an_error_after_the_last_repeat(db):
    tries = []

    def fail(session) -> None:
        tries.append(session.execute(text("SELECT 1")).scalar_one())
        raise OperationalError("SELECT", {}, MySQLError(1213, "Deadlock found"))

    with pytest.raises(OperationalError, match="1213"):
        await asyncio.to_thread(db.write_sync, fail)
    assert tries == [1] * (len(database_module.REPEAT_PAUSES_S) + 1)


def count_others(session, db: Database, code: str) -> int:
    """How many rows that another transaction adds meanwhile this one sees."""
    number = select(func.count()).select_from(Coupon)
    before = session.scalar(number)
    with db.write_session() as other:
        factories.coupon(other, code)
    return int(session.scalar(number) - before)


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
async def test_transactions_that_write_see_what_others_commit_and_reads_have_one_state(db):
    host = Database(db.url, deadline_s=30)
    try:
        found = {
            "worker": db.write_sync(count_others, db, "w"),
            "limited": db.write_before(lambda: 30.0, count_others, db, "l"),
            "host": await host.write(count_others, db, "h"),
            "reader": await host.read(count_others, db, "r"),
        }
        with db.read_session() as session:
            found["read session"] = count_others(session, db, "s")
    finally:
        await host.close()
    assert found == {"worker": 1, "limited": 1, "host": 1, "reader": 0, "read session": 0}


@pytest.fixture
def impatient(db) -> Iterator[Database]:
    """The database with connections of this test alone, whose settings nobody else gets."""
    own = Database(db.url)
    yield own
    own.engine.dispose()


def insert_missing(first, second) -> None:
    """Two transactions look for a row that is not there, and then both insert theirs."""
    for session, code in ((first, "x"), (second, "y")):
        # An error at once instead of a wait.
        session.execute(text("SET innodb_lock_wait_timeout=0"))
        assert session.scalar(select(Coupon.id).where(Coupon.code == code).with_for_update()) is None
    for session, code in ((first, "X"), (second, "Y")):
        factories.coupon(session, code)


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_two_transactions_may_look_for_rows_that_are_missing_and_insert_them(db, impatient):
    with impatient.write_session() as first, impatient.write_session() as second:
        insert_missing(first, second)
    with db.read_session() as session:
        assert set(session.scalars(select(Coupon.code))) == {"a", "b", "x", "y"}


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_at_the_level_of_reads_each_of_them_waits_for_the_gap_of_the_other(impatient):
    """The negative control."""
    refused = pytest.raises(OperationalError, match="1205")
    with refused, impatient.read_session() as first, impatient.read_session() as second:
        insert_missing(first, second)


class Twins:
    """Two transactions look for a coupon, and insert it if they find none; the first two looks are at the same time."""

    def __init__(self) -> None:
        self._gate, self.tries = threading.Barrier(2), 0

    def put(self, session, code: str) -> bool:
        """Whether the coupon is new."""
        is_there = session.scalar(select(Coupon.id).where(Coupon.code == code.casefold()).with_for_update()) is not None
        self.tries += 1
        if self.tries <= 2:
            self._gate.wait(10)
        if not is_there:
            factories.coupon(session, code)
        return not is_there


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
@pytest.mark.parametrize("write", [write_as_workers, write_as_hosts])
async def test_who_inserts_what_another_has_inserted_meanwhile_looks_again(db, write):
    twins = Twins()
    done = await asyncio.gather(*(asyncio.to_thread(write, db, twins.put, "SPRING") for _ in range(2)))
    assert (sorted(done), twins.tries) == ([False, True], 3)


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
async def test_without_repeats_who_inserts_it_too_gets_an_error(db, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(database_module, "REPEAT_PAUSES_S", ())
    twins = Twins()
    writes = (asyncio.to_thread(db.write_sync, twins.put, "SPRING") for _ in range(2))
    done = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(each) for each in done].count(IntegrityError) == 1

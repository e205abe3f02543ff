"""Transactions with a deadline, on both databases: in time they are committed, later nothing of them is."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.database.deadline import DeadlinePassed
from domain.tables import CatalogueVersion
from tests.support.waiting import until_now

pytestmark = pytest.mark.each_database

# How long a wait for a lock would last without the deadline.
UNLIMITED_WAIT_S = 60


@pytest.fixture
def db(database) -> Iterator[Database]:
    """The database as a worker opens it, but it waits for locks much longer; its catalogue version is 1."""
    own = Database(database.url, deadline_s=10, busy_ms=UNLIMITED_WAIT_S * 1000)
    if not own.is_sqlite:

        @event.listens_for(own.engine, "connect")
        def _wait_longer(connection, _record) -> None:
            connection.cursor().execute(f"SET SESSION innodb_lock_wait_timeout={UNLIMITED_WAIT_S}")

    with own.write_session() as session:
        session.add(CatalogueVersion(id=1, number=1))
    yield own
    own.engine.dispose()


def ending_in(seconds: float) -> Callable[[], float]:
    """The seconds left of this time."""
    deadline = time.monotonic() + seconds
    return lambda: deadline - time.monotonic()


def put(session: Session, number: int) -> int:
    session.get_one(CatalogueVersion, 1, with_for_update=True).number = number
    return number


def number(db: Database) -> int:
    with db.read_session() as session:
        return session.get_one(CatalogueVersion, 1).number


@contextmanager
def locked(db: Database) -> Iterator[None]:
    """Another transaction holds the row; on SQLite the whole database."""
    with Session(db.engine) as session:
        session.scalars(select(CatalogueVersion).with_for_update()).one()
        yield


def test_a_transaction_in_time_is_committed(db):
    assert db.write_before(ending_in(30), put, 2) == 2
    assert number(db) == 2


def test_nothing_is_committed_once_the_deadline_has_passed(db):
    left_s = ending_in(0.2)

    def put_slowly(session: Session) -> None:
        put(session, 2)
        until_now(lambda: left_s() <= 0)

    with pytest.raises(DeadlinePassed):
        db.write_before(left_s, put_slowly)
    assert number(db) == 1


def test_a_transaction_does_not_begin_after_its_deadline(db):
    calls = []
    with pytest.raises(DeadlinePassed):
        db.write_before(ending_in(-0.001), calls.append)
    assert calls == []


def test_the_wait_for_a_lock_ends_with_the_deadline(db):
    began_at = time.monotonic()
    with locked(db), pytest.raises((DeadlinePassed, OperationalError)):
        db.write_before(ending_in(0.5), put, 2)
    assert time.monotonic() - began_at < UNLIMITED_WAIT_S / 2
    assert number(db) == 1


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_a_statement_does_not_begin_after_the_deadline(db):
    """On MariaDB each statement may wait for a lock. SQLite waits once, at the beginning."""
    left_s = ending_in(0.5)

    def put_later(session: Session) -> None:
        until_now(lambda: left_s() <= 0)
        put(session, 2)

    with locked(db), pytest.raises(DeadlinePassed):
        db.write_before(left_s, put_later)


def test_a_nested_transaction_may_be_rolled_back_and_the_rest_is_committed(db):
    def put_twice(session: Session) -> None:
        put(session, 2)
        nested = session.begin_nested()
        put(session, 3)
        nested.rollback()

    db.write_before(ending_in(30), put_twice)
    assert number(db) == 2

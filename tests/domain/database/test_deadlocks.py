"""Deadlocks on MariaDB: the server rolls one transaction back, and Database repeats it."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import audit
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
        audit.no_change(session)
        with audit.savepoint(session):
            work()

    audit.run(session, SystemActor("command", NOON), change)


WAYS = {
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

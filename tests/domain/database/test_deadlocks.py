"""Deadlocks on MariaDB: the server rolls one transaction back, and Database repeats it."""

import asyncio
import threading

import pytest
from sqlalchemy import select

from domain.database.database import Database
from domain.tables import Coupon
from tests.support import factories


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


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
async def test_both_transactions_of_a_deadlock_are_committed(db):
    crossing = Crossing()
    calls = (asyncio.to_thread(db.write_sync, crossing.lock, codes) for codes in ("AB", "BA"))
    done = await asyncio.gather(*calls)
    assert done == ["AB", "BA"]
    assert crossing.tries == 3
    with db.read_session() as session:
        assert session.scalars(select(Coupon.uses).order_by(Coupon.display_code)).all() == [1, 1]

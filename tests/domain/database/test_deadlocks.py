"""Two who wait for each other on MariaDB: one is ended by the server, and repeated by us."""

import asyncio
import threading

import pytest
from sqlalchemy import select

from domain.db import Database
from domain.tables import Coupon
from tests import factories


@pytest.fixture
def records(database) -> Database:
    with database.session() as session:
        for code in ("A", "B"):
            factories.coupon(session, code)
    return database


class Crossing:
    """Locks two rows in one order or the other, and waits in between, the first time, until both have one."""

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
async def test_workers_in_a_deadlock_both_get_their_turn(records):
    crossing = Crossing()
    done = await asyncio.gather(*(asyncio.to_thread(records.carry_out, crossing.lock, one) for one in ("AB", "BA")))
    assert done == ["AB", "BA"]
    assert crossing.tries == 3
    with records.reading() as session:
        assert session.scalars(select(Coupon.uses).order_by(Coupon.shown)).all() == [1, 1]

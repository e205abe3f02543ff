"""Many buy at the same time on MariaDB: nobody sees an error, and counters are what the rows say."""

import random
from collections.abc import Iterable

import pytest
from sqlalchemy import select

from domain.database import database as database_module
from domain.reservations import carts, counters, orders, reservation_rows
from domain.reservations.kinds import KINDS, Resource
from tests.domain.orders import rush

pytestmark = [pytest.mark.mariadb, pytest.mark.parametrize("database", ["mariadb"], indirect=True)]

SHORT, LONG = 16, 160


def require_work(answers: dict[str, int]) -> None:
    """That the rush was one: orders were placed, refused, settled and returned."""
    happened = ("place: Placed", "place: Failed", "settle: settled", "return: unchanged")
    assert [answer for answer in happened if not answers[answer]] == []


@pytest.mark.parametrize("buyers", [SHORT, pytest.param(LONG, marks=pytest.mark.soak)])
def test_nobody_in_a_rush_sees_an_error(database, buyers):
    held = rush.run(database, buyers)
    assert held.errors == []
    assert rush.disagreements(database, held.goods) == []
    require_work(held.answers)


def lock_in_any_order(session, resources: Iterable[Resource]) -> None:
    """Each resource by a statement of its own, coupons and stock mixed."""
    wanted = sorted(set(resources), key=lambda _: random.random())
    for resource in wanted:
        key = KINDS[resource.kind].table.id
        session.execute(select(key).where(key == resource.id).with_for_update()).all()


def test_locks_without_an_order_and_without_repeats_are_errors(database, monkeypatch):
    """The negative control. What was not done is not half done: the counters agree all the same."""
    for module in (carts, counters, orders, reservation_rows):
        monkeypatch.setattr(module, "lock", lock_in_any_order)
    monkeypatch.setattr(database_module, "REPEAT_PAUSES_S", ())
    held = rush.run(database, SHORT)
    assert any("1213" in error for error in held.errors)
    assert rush.disagreements(database, held.goods) == []

"""Two processes refund the last unit at once: it goes back once, on both databases."""

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.tables import Order, Refund
from tests.domain.orders import selling
from tests.domain.orders.refunds import buying, race_process
from tests.domain.orders.selling import Pricing


def race(children, database, order: Order, way: str) -> list[str]:
    url = database.url.render_as_string(hide_password=False)
    job = {"url": url, "way": way, "order_id": order.id, "learner_id": order.learner_id}
    racers = [children.talk(race_process.refund, **job) for _ in range(2)]
    assert [racer.read() for racer in racers] == ["ready", "ready"]
    for racer in racers:
        racer.tell("go")
    answers = sorted(racer.read() for racer in racers)
    assert [racer.end() for racer in racers] == [0, 0]
    return answers


@pytest.fixture
def order(database) -> Order:
    """One book is paid."""
    with database.write_session() as session:
        world = selling.fill(session)
        return buying.paid(session, world, RequestedItem(world.book), pricing=Pricing())


def refunded(database, order) -> tuple[int, int]:
    """What was set aside of the order, and what its refunds would send."""
    with database.read_session() as session:
        amounts = session.scalars(select(Refund.amount_minor)).all()
        return session.get_one(Order, order.id).refunded_minor, sum(amounts)


@pytest.mark.each_database
def test_the_last_unit_is_refunded_once(children, database, order):
    assert race(children, database, order, "guarded") == ["False", "True"]
    assert refunded(database, order) == (1500, 1500)


def test_without_lock_and_condition_it_would_be_refunded_twice(children, sqlite_database):
    """The negative control."""
    with sqlite_database.write_session() as session:
        world = selling.fill(session)
        order = buying.paid(session, world, RequestedItem(world.book), pricing=Pricing())
    assert race(children, sqlite_database, order, "unguarded") == ["True", "True"]
    assert refunded(sqlite_database, order)[1] == 3000

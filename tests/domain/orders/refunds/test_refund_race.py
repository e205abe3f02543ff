"""Two processes refund the last unit at once, or decide about one request: once, on both databases."""

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.tables import Order, Refund
from tests.domain.orders import selling
from tests.domain.orders.refunds import buying, race_process
from tests.domain.orders.selling import Pricing
from tests.support import factories


def race(children, database, order: Order, *ways: str) -> list[str]:
    url = database.url.render_as_string(hide_password=False)
    job = {"url": url, "order_id": order.id, "learner_id": order.learner_id}
    racers = [children.talk(race_process.refund, way=way, **job) for way in ways]
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
    assert race(children, database, order, "guarded", "guarded") == ["False", "True"]
    assert refunded(database, order) == (1500, 1500)


def test_without_lock_and_condition_it_would_be_refunded_twice(children, sqlite_database):
    """The negative control."""
    with sqlite_database.write_session() as session:
        world = selling.fill(session)
        order = buying.paid(session, world, RequestedItem(world.book), pricing=Pricing())
    assert race(children, sqlite_database, order, "unguarded", "unguarded") == ["True", "True"]
    assert refunded(sqlite_database, order)[1] == 3000


@pytest.mark.each_database
def test_of_two_who_decide_about_one_request_the_second_is_told_who_was_first(children, database):
    with database.write_session() as session:
        world = selling.fill(session)
        order = buying.paid(session, world, RequestedItem(world.book, 2), pricing=Pricing())
        order.disputed_at = buying.SOON
        buying.ask(session, order, {1: 2})
        for name in ("Ada", "Grace"):
            factories.learner(session, name=name)
    answers = race(children, database, order, "approve-part", "decline")
    (won,) = [answer for answer in answers if answer.startswith("decided by ")]
    (told,) = [answer for answer in answers if answer != won]
    name, back, said = {
        "decided by Ada": ("Ada", (1500, 1500), "$15.00 goes back of $30.00"),
        "decided by Grace": ("Grace", (0, 3000), "$30.00 was declined"),
    }[won]
    assert (name in told, said in told, refunded(database, order)) == (True, True, back)

"""Many at once: one key is one order, one learner has one open order, one payment settles once, on both databases."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from sqlalchemy import func, select

from domain.checkout import placement
from domain.checkout.placement import Failed, Placed
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.payments import settlement
from domain.tables import Document, Order, Outbox, Reservation
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, SHOP, Pricing
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

THREADS = 20


@pytest.fixture
def busy(database) -> Iterator[Database]:
    """The database with a connection for each thread."""
    db = Database(database.url, pool_size=THREADS, deadline_s=60, busy_ms=60_000)
    yield db
    db.engine.dispose()


@pytest.fixture
def world(busy):
    with busy.write_session() as session:
        return selling.fill(session, stock=50)


def at_once(calls: list[Callable[[], object]]) -> list:
    """The results of calls that begin together."""
    gate = Barrier(len(calls))

    def run(call):
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def request(db, world, *lines, key="key"):
    with db.read_session() as session:
        return selling.order_request(session, world.learner, *lines, key=key)


def place(db, order_request):
    return db.write_sync(placement.place, order_request, Pricing(), Context(NOON, SETTINGS))


def count(db, table, *conditions) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.count(table.id)).where(*conditions))


def stock(db, world):
    with db.read_session() as session:
        return selling.stock_of(session, world.book)


def test_twenty_calls_with_one_key_are_one_order(busy, world):
    order_request = request(busy, world, RequestedItem(world.book))
    results = at_once([partial(place, busy, order_request)] * THREADS)
    assert [type(result) for result in results] == [Placed] * THREADS
    assert len({result.order_id for result in results}) == 1
    assert sorted(result.is_new for result in results) == [False] * (THREADS - 1) + [True]
    assert (count(busy, Order), count(busy, Reservation), stock(busy, world)) == (1, 1, 49)


def press_unguarded(busy, order_request, number: int, between: Callable[[], object]) -> None:
    """A key that is read and then written, without lock; nothing unique is in the way, nor the same contents."""
    with busy.read_session() as session:
        if session.scalar(select(Order.id).where(Order.form_key.startswith(order_request.form_key))) is not None:
            return
    between()
    own = replace(order_request, form_key=f"{order_request.form_key}-{number}", service=str(number))
    place(busy, own)


def test_a_key_that_is_read_and_then_written_gives_an_order_each(busy, world):
    """The negative control: everybody reads before anybody writes."""
    everybody, order_request = Barrier(4), request(busy, world, RequestedItem(world.book))
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda number: press_unguarded(busy, order_request, number, everybody.wait), range(4)))
    assert count(busy, Order) == 4
    # One after the other, the same presses are one order: what is read stops the others.
    one_by_one = request(busy, world, RequestedItem(world.book), key="later")
    for number in range(4):
        press_unguarded(busy, one_by_one, number, lambda: None)
    assert count(busy, Order, Order.form_key.startswith("later")) == 1


def test_of_many_tabs_with_other_contents_one_order_stays_open(busy, world):
    tabs = [request(busy, world, RequestedItem(world.book, number), key=f"tab-{number}") for number in range(1, 7)]
    results = at_once([partial(place, busy, tab) for tab in tabs])
    assert [type(result) for result in results] == [Placed] * 6
    with busy.read_session() as session:
        open_orders = session.scalars(select(Order).where(Order.open_learner_id == world.learner)).all()
        quantities = list(session.scalars(select(Reservation.quantity)))
    assert (len(open_orders), count(busy, Order, Order.state == "cancelled")) == (1, 5)
    assert [selling_total // 1500 for selling_total in [open_orders[0].total_minor]] == quantities
    assert stock(busy, world) == 50 - quantities[0]


def test_the_last_pieces_go_to_as_many_buyers_as_there_are_pieces(busy):
    with busy.write_session() as session:
        world = selling.fill(session, stock=3)
        buyers = [factories.learner(session, f"Buyer {number}").id for number in range(12)]
        order_request = [selling.order_request(session, buyer, RequestedItem(world.book)) for buyer in buyers]
    results = at_once([partial(place, busy, one) for one in order_request])
    assert sorted(type(result).__name__ for result in results) == ["Failed"] * 9 + ["Placed"] * 3
    assert {text for result in results if isinstance(result, Failed) for text in result.refusals.values()} == {
        "The Book is sold out."
    }
    assert (stock(busy, world), count(busy, Order)) == (0, 3)


@pytest.fixture
def order(busy, world):
    with busy.write_session() as session:
        return selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book))


def settle(db, ref, found, at=LATER):
    return db.write_sync(settlement.apply, ref, found, SHOP, at)


def test_webhook_return_page_and_polling_at_once_settle_once(busy, order):
    with busy.read_session() as session:
        ref = selling.ref_of(session, order)
    results = at_once([partial(settle, busy, ref, selling.snapshot(order))] * 8)
    assert sorted(results) == ["settled"] + ["unchanged"] * 7
    assert (count(busy, Document), count(busy, Outbox, Outbox.kind == "mail.order_paid")) == (1, 1)


def test_orders_that_expire_while_they_are_paid_are_paid_and_have_their_pieces(busy):
    """Whoever waits for the lock must not go by what was there before: the reservation may be gone by then."""
    with busy.write_session() as session:
        world = selling.fill(session, stock=50)
        buyers = [factories.learner(session, f"Buyer {number}").id for number in range(8)]
        orders = [selling.buy(session, buyer, RequestedItem(world.book)) for buyer in buyers]
        refs = [selling.ref_of(session, order) for order in orders]
    at = NOON + timedelta(days=1)
    calls = []
    for order, ref in zip(orders, refs, strict=True):
        due = DueOrder(order.id, order.learner_id)
        calls.append(partial(busy.write_sync, expiry.expire, due, Context(at, SETTINGS)))
        calls.append(partial(settle, busy, ref, selling.snapshot(order), at))
    at_once(calls)
    assert count(busy, Order, Order.state == "paid") == 8
    assert count(busy, Reservation, Reservation.state == "committed") == 8
    assert stock(busy, world) == 42

"""kill -9 at each fault point of placing and settling: an order is there wholly or not at all, and the next try of the
same form gives one order, one payment, one invoice."""

import signal
from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from domain.checkout.priced import RequestedItem
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.tables import Document, Order, OrderEvent, OrderLine, Outbox, Payment, Refund, Reservation
from tests.domain.orders import killed_process, selling
from tests.domain.orders.selling import LATER, SETTINGS

pytestmark = pytest.mark.faults
TABLES = (Order, OrderLine, Payment, Reservation, Document, Refund)
NOTHING = {"orders": 0, "order_lines": 0, "payments": 0, "reservations": 0, "documents": 0, "refunds": 0}
PLACED = {**NOTHING, "orders": 1, "order_lines": 2, "payments": 1, "reservations": 1}
PAID = {**PLACED, "documents": 1}
# Both are expired: the last piece was sold to somebody else.
LATE = {**NOTHING, "orders": 2, "order_lines": 3, "payments": 2, "reservations": 1, "documents": 1}


@pytest.fixture
def world(database):
    with database.write_session() as session:
        return selling.fill(session, stock=1)


@pytest.fixture
def kill_at(children, database) -> Callable[[str, str, int], None]:
    def kill(step: str, point: str, learner_id: int) -> None:
        url = database.url.render_as_string(hide_password=False)
        job = {"url": url, "step": step, "point": point, "learner_id": learner_id}
        assert children.run(killed_process.run, **job) == -signal.SIGKILL

    return kill


def rows(database):
    with database.read_session() as session:
        return {table.__tablename__: session.scalar(select(func.count()).select_from(table)) for table in TABLES}


def outbox(database):
    with database.read_session() as session:
        return list(session.scalars(select(Outbox.kind).order_by(Outbox.id)))


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("point", "left"), [("place.read", NOTHING), ("place.written", NOTHING), ("place.committed", PLACED)]
)
def test_a_process_killed_while_placing_leaves_one_order_or_none(database, world, kill_at, point, left):
    kill_at("place", point, world.learner)
    assert rows(database) == left
    killed_process.place(database, world.learner)
    assert rows(database) == PLACED
    with database.read_session() as session:
        assert selling.stock_of(session, world.book) == 0


@pytest.mark.parametrize(
    ("point", "left"), [("settle.retrieved", PLACED), ("settle.written", PLACED), ("settle.committed", PAID)]
)
def test_a_process_killed_while_settling_leaves_an_order_that_is_paid_or_not(database, world, kill_at, point, left):
    killed_process.place(database, world.learner)
    kill_at("settle", point, world.learner)
    assert rows(database) == left
    assert outbox(database) == (["mail.order_paid"] if left == PAID else [])
    killed_process.settle(database, world.learner)
    assert (rows(database), outbox(database)) == (PAID, ["mail.order_paid"])


@pytest.mark.each_database
def test_a_process_killed_after_the_savepoint_of_a_late_payment_has_refunded_nothing_yet(database, world, kill_at):
    with database.write_session() as session:
        order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book))
        expiry.expire(session, DueOrder(order.id, order.learner_id), Context(LATER.replace(month=4), SETTINGS))
        other = selling.another_learner(session).id
        selling.pay(session, selling.buy(session, other, RequestedItem(world.book)))
    kill_at("settle", "late.rolled_back", world.learner)
    assert rows(database) == LATE
    killed_process.settle(database, world.learner)
    assert rows(database) == {**LATE, "refunds": 1}
    with database.read_session() as session:
        events = session.scalars(
            select(OrderEvent.kind).where(OrderEvent.order_id == order.id).order_by(OrderEvent.number)
        )
        assert list(events) == ["place", "expire", "paid_late", "refund_approved"]

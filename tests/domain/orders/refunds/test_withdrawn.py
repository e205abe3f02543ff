"""A course that is withdrawn soon after it was bought: its learner finds the order that refunds it."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from domain.checkout.priced import RequestedItem
from domain.learning import bundles
from domain.orders import fulfilment
from domain.orders.refunds.withdrawn import refundable_order
from domain.orders.settings import Context
from domain.tables import CourseClosure, Product
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import SETTINGS, paid
from tests.domain.orders.selling import LATER
from tests.support import factories

DAY = timedelta(days=1)


@pytest.fixture
def world(session):
    return selling.fill(session)


def retire(session, world, at: datetime) -> None:
    session.execute(update(Product).where(Product.id == world.course).values(status="retired", retired_at=at))
    session.expire_all()


def order_of(session, learner_id: int, course_id: int, at: datetime) -> str | None:
    return refundable_order(session, learner_id, course_id, Context(at, SETTINGS))


@pytest.mark.each_database
def test_within_sixty_days_its_order_refunds_it_whenever_it_is_asked(session, world):
    order = paid(session, world, RequestedItem(world.course))
    assert order_of(session, order.learner_id, world.course, LATER + DAY) is None
    retire(session, world, LATER + 59 * DAY)
    for day in (60, 400):
        assert order_of(session, order.learner_id, world.course, LATER + day * DAY) == order.code
    stranger = factories.learner(session, "Grace Hopper").id
    assert order_of(session, stranger, world.course, LATER + 60 * DAY) is None


def test_later_or_once_it_is_refunded_it_does_not(session, world):
    order = paid(session, world, RequestedItem(world.course))
    retire(session, world, LATER + 80 * DAY)
    assert order_of(session, order.learner_id, world.course, LATER + 80 * DAY) is None
    retire(session, world, LATER + 10 * DAY)
    assert order_of(session, order.learner_id, world.course, LATER + 80 * DAY) == order.code
    fulfilment.take_back_all(session, order, LATER + 81 * DAY, SETTINGS)
    assert order_of(session, order.learner_id, world.course, LATER + 82 * DAY) is None


@pytest.mark.parametrize("bought", ["course", "bundle"])
def test_of_a_course_that_is_closed_every_buyer_gets_the_money_back_whenever(session, world, bought):
    bundles.put_courses(session, world.bundle, [world.course])
    order = paid(session, world, RequestedItem(getattr(world, bought)))
    retire(session, world, LATER + 200 * DAY)
    at = LATER + 210 * DAY
    assert order_of(session, order.learner_id, world.course, at) is None
    session.add(CourseClosure(course_id=world.course, announced_at=at, ends_at=at + 30 * DAY, reason="A court."))
    session.flush()
    assert order_of(session, order.learner_id, world.course, at + DAY) == order.code

"""Enrolling in a free course by one press: an order over nothing that leaves everything else as it is."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.cart import lines as cart_lines
from domain.checkout import free_enrolment
from domain.checkout.free_enrolment import NO_COURSE, NOT_FREE, Enrolled
from domain.checkout.priced import RequestedItem
from domain.errors import Refused
from domain.learning import grants
from domain.orders import events
from domain.orders.settings import Context
from domain.tables import CartLine, Document, Order, Outbox, Payment, Product
from tests.domain.orders import selling
from tests.domain.orders.selling import SETTINGS
from tests.support.factories import NOON
from tests.support.shops import SHOP


@pytest.fixture
def world(session):
    """A free course in the cart beside a book, and another order that waits for its payment."""
    world = selling.fill(session)
    selling.buy(session, world.learner, RequestedItem(world.voucher))
    session.get_one(Product, world.course).list_price = Decimal(0)
    for product in (world.course, world.book):
        assert cart_lines.add(session, world.learner, product, NOON) is None
    return world


def enrol(session, world, course=None, at=NOON):
    return free_enrolment.enrol(session, world.learner, course or world.course, SHOP, Context(at, SETTINGS))


@pytest.mark.each_database
def test_one_press_opens_the_course_and_leaves_the_cart_and_the_open_order(session, world):
    assert enrol(session, world) == Enrolled("vat-basics", is_new=True)
    assert grants.owned_ids(session, world.learner, [world.course], NOON) == {world.course}
    waiting, free = session.scalars(select(Order).order_by(Order.id))
    assert (waiting.state, waiting.open_learner_id) == ("placed", world.learner)
    assert (free.state, free.total_minor, free.open_learner_id, free.tax_minor) == ("paid", 0, None, 0)
    timeline = [(event.kind, event.to_state) for event in events.timeline(session, free.id)]
    assert timeline == [("enrol", "placed"), ("settle", "paid")]
    assert list(session.scalars(select(CartLine.product_id))) == [world.book]
    assert list(session.scalars(select(Document))) == []
    assert [payment.order_id for payment in session.scalars(select(Payment))] == [waiting.id]
    assert list(session.scalars(select(Outbox.kind).where(Outbox.topic == "mail"))) == ["mail.order_paid"]


def test_a_second_press_changes_nothing(session, world):
    enrol(session, world)
    assert enrol(session, world, at=NOON + timedelta(seconds=1)) == Enrolled("vat-basics", is_new=False)
    assert len(list(session.scalars(select(Order)))) == 2


def price_it(session, world):
    session.get_one(Product, world.course).list_price = Decimal("9.00")


def retire(session, world):
    session.get_one(Product, world.course).status = "retired"


REFUSED = {
    "it costs something": (price_it, NOT_FREE),
    "it is not sold": (retire, "Vat Basics is no longer sold."),
}


@pytest.mark.parametrize(("change", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_opens_and_writes_nothing(session, world, change, text):
    change(session, world)
    session.flush()
    with pytest.raises(Refused) as refusal:
        enrol(session, world)
    assert (str(refusal.value), len(list(session.scalars(select(Order))))) == (text, 1)
    assert grants.owned_ids(session, world.learner, [world.course], NOON) == set()


def test_a_shop_item_is_no_course(session, world):
    for product in (world.book, 999):
        with pytest.raises(Refused, match=NO_COURSE):
            enrol(session, world, product)

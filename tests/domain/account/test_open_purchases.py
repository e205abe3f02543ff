"""An account is not deleted while money or goods are on their way; else its open order ends and its addresses go."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.checkout.priced import RequestedItem
from domain.errors import Refused
from domain.orders import shipping
from domain.orders.settings import Context
from domain.tables import CheckoutDraft, Learner, Order, OrderEvent, Outbox, Refund
from tests.domain.orders import selling, taxed
from tests.domain.orders.refunds import buying
from tests.support import factories
from tests.support.factories import NOON

LATER = NOON + timedelta(days=5)


@pytest.fixture
def world(session):
    return taxed.fill(session)


def delete(session, learner_id: int) -> None:
    email = session.get_one(Learner, learner_id).email
    anonymise_account(session, learner_id, email, Context(LATER, selling.SETTINGS))
    session.flush()


def by_debit(session, world) -> Order:
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    selling.apply(session, order, selling.snapshot(order, payment="processing", paid_at=None))
    return order


def refunded(state):
    def make(session, world) -> Order:
        order = taxed.buy(session, world.learner, RequestedItem(world.course))
        taxed.give_back(session, order, {1: 1}, state)
        return order

    return make


def unsent(session, world) -> Order:
    return taxed.buy(session, world.learner, RequestedItem(world.book))


REFUSED = {
    "a debit is under way": (by_debit, "is being paid by debit"),
    "a refund is approved": (refunded("approved"), "A refund of order"),
    "a refund is pending": (refunded("pending"), "A refund of order"),
    "a refund has failed": (refunded("failed"), "A refund of order"),
    "goods are not sent": (unsent, "have not been sent yet"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_account_is_kept_while(session, world, name):
    make, text = REFUSED[name]
    order = make(session, world)
    with pytest.raises(Refused, match=text) as refusal:
        delete(session, world.learner)
    assert order.code in str(refusal.value)
    assert session.get_one(Learner, world.learner).name == "Ada Lovelace"
    assert (order.email, order.billing["name"]) == ("ada-lovelace@example.test", "Ada")


def test_it_is_deleted_when_goods_are_sent_and_money_is_back(session, world):
    order = taxed.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book))
    shipping.ship(session, buying.ref(order), "command", LATER)
    taxed.give_back(session, order, {1: 1})
    delete(session, world.learner)
    session.expire_all()
    assert session.get_one(Learner, world.learner).name == ""
    # Documents keep the addresses of their order.
    assert (order.state, order.email, order.billing["name"]) == ("paid", "ada-lovelace@example.test", "Ada")


def test_goods_that_were_refunded_need_not_be_sent(session, world):
    order = unsent(session, world)
    taxed.give_back(session, order, {1: 1, 2: 1})
    delete(session, world.learner)
    assert session.get_one(Learner, world.learner).name == ""


def test_others_do_not_matter(session, world):
    unsent(session, world)
    other = factories.learner(session, "Grace Hopper").id
    delete(session, other)
    assert session.get_one(Learner, other).name == ""


@pytest.mark.each_database
def test_an_open_order_is_cancelled_and_forgets_who_placed_it(session, world):
    order = taxed.place(session, world.learner, RequestedItem(world.book, 2))
    times = {"changed_at": NOON, "expires_at": LATER}
    session.add(CheckoutDraft(learner_id=world.learner, values={"billing.city": "London"}, rendered={}, **times))
    delete(session, world.learner)
    session.expire_all()
    assert (order.state, order.open_learner_id, order.email, order.email_key) == ("cancelled", None, "", "")
    assert (order.billing, order.delivery) == ({"country": "DE"}, {"country": "DE"})
    assert selling.stock_of(session, world.book) == 5
    assert session.scalar(select(CheckoutDraft.id)) is None
    assert list(session.scalars(select(OrderEvent.kind).order_by(OrderEvent.id))) == ["place", "cancel"]
    assert [row.kind for row in session.scalars(select(Outbox))] == ["payments.expire"]


def test_a_payment_that_comes_after_the_deletion_goes_back(session, world):
    order = taxed.place(session, world.learner, RequestedItem(world.course))
    delete(session, world.learner)
    assert selling.apply(session, order, selling.snapshot(order), at=LATER) == "late"
    assert (order.state, session.scalars(select(Refund.reason)).one()) == ("cancelled", "late")

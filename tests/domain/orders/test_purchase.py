"""A whole purchase without a host: place, pay, and what a paid order has."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.cart.lines import add
from domain.checkout.placement import Changed, Failed, KeyReused, Placed
from domain.checkout.priced import RequestedItem
from domain.learning import bundles, grants
from domain.orders import events
from domain.tables import CartLine, Document, Gift, Order, OrderLine, Outbox, Payment, Reservation, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, Pricing
from tests.support.factories import NOON


@pytest.fixture
def world(session):
    return selling.fill(session)


def rows(session, table, *conditions):
    return list(session.scalars(select(table).where(*conditions).order_by(table.id)))


def mails(session):
    return [row.kind for row in rows(session, Outbox, Outbox.topic == "mail")]


def states_of(session, order):
    return [(event.kind, event.from_state, event.to_state) for event in events.timeline(session, order.id)]


@pytest.mark.each_database
def test_a_placed_order_has_its_lines_a_payment_and_its_pieces(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book, 2))
    assert (order.state, order.open_learner_id, order.total_minor) == ("placed", world.learner, 7000)
    assert order.reserved_until == NOON + timedelta(minutes=36)
    lines = rows(session, OrderLine)
    assert [(line.number, line.product_id, line.quantity, line.total_minor) for line in lines] == [
        (1, world.course, 1, 4000),
        (2, world.book, 2, 3000),
    ]
    payment = selling.payment_of(session, order)
    assert (payment.state, payment.amount_minor, payment.key) == ("new", 7000, f"{order.code}-1")
    assert selling.stock_of(session, world.book) == 3
    assert states_of(session, order) == [("place", None, "placed")]
    assert mails(session) == []


@pytest.mark.each_database
def test_a_paid_order_has_given_everything_that_was_bought(session, world):
    for product in (world.course, world.book):
        assert add(session, world.learner, product, NOON) is None
    add(session, world.learner, world.bundle, NOON)
    lines = (RequestedItem(world.course), RequestedItem(world.book), RequestedItem(world.voucher, 2))
    order = selling.buy(session, world.learner, *lines)
    assert selling.pay(session, order) == "settled"
    assert (order.state, order.open_learner_id, order.paid_at, order.reserved_until) == ("paid", None, LATER, None)
    assert grants.owned_ids(session, world.learner, [world.course], LATER) == {world.course}
    assert [len(code.code) for code in rows(session, VoucherCode)] == [12, 12]
    assert [row.state for row in rows(session, Reservation)] == ["committed", "committed"]
    assert [document.kind for document in rows(session, Document)] == ["invoice"]
    assert mails(session) == ["mail.order_paid"]
    assert [line.product_id for line in rows(session, CartLine)] == [world.bundle]
    payment = selling.payment_of(session, order)
    assert (payment.state, payment.method, payment.paid_at) == ("paid", "Visa 4242", LATER)
    assert states_of(session, order) == [("place", None, "placed"), ("settle", "placed", "paid")]
    assert events.first_wrong(order, events.timeline(session, order.id)) is None


def test_a_bundle_opens_its_courses_and_a_gift_opens_none(session, world):
    bundles.put_courses(session, world.bundle, [world.course])
    gift = {"recipient_email": "bob@example.test", "message": "Enjoy"}
    order = selling.buy(session, world.learner, RequestedItem(world.course, gift=gift))
    selling.pay(session, order)
    assert grants.owned_ids(session, world.learner, [world.course], LATER) == set()
    assert [(row.product_id, row.state) for row in rows(session, Gift)] == [(world.course, "waiting")]
    second = selling.buy(session, world.learner, RequestedItem(world.bundle), key="key-2")
    selling.pay(session, second)
    assert grants.owned_ids(session, world.learner, [world.course], LATER) == {world.course}


def test_a_free_order_is_paid_while_it_is_placed(session, world):
    pricing = Pricing(on_cart=world.coupon)
    order = selling.buy(session, world.learner, RequestedItem(world.course), coupon_id=world.coupon, pricing=pricing)
    assert (order.state, order.total_minor, rows(session, Payment)) == ("paid", 0, [])
    # Nobody is sent an invoice over nothing.
    assert rows(session, Document) == []
    assert selling.uses_of(session, world.coupon) == 1
    assert grants.owned_ids(session, world.learner, [world.course], NOON) == {world.course}


@pytest.mark.each_database
def test_the_same_key_gives_the_same_order_whatever_its_state(session, world):
    request = selling.order_request(session, world.learner, RequestedItem(world.book))
    first = selling.place(session, request)
    again = selling.place(session, request)
    assert (first.is_new, again.is_new, again.order_id, again.payment_id) == (True, False, *ids(first))
    selling.pay(session, session.get_one(Order, first.order_id))
    paid = selling.place(session, request)
    assert (paid.order_id, paid.state, paid.payment_id, paid.is_new) == (first.order_id, "paid", None, False)
    assert selling.stock_of(session, world.book) == 4


def ids(placed: Placed):
    return placed.order_id, placed.payment_id


def test_the_same_key_with_other_contents_is_refused(session, world):
    selling.buy(session, world.learner, RequestedItem(world.book))
    with pytest.raises(KeyReused):
        selling.buy(session, world.learner, RequestedItem(world.book, 2))
    assert session.scalar(select(func.count(Order.id))) == 1


def test_another_key_with_the_same_contents_gives_the_open_order(session, world):
    first = selling.buy(session, world.learner, RequestedItem(world.book))
    assert selling.buy(session, world.learner, RequestedItem(world.book), key="key-2").id == first.id


@pytest.mark.each_database
def test_other_contents_supersede_the_open_order_and_take_its_pieces(session, world):
    """With the last five pieces: without the release of the first order, the second would find none."""
    first = selling.buy(session, world.learner, RequestedItem(world.book, 5))
    second = selling.buy(session, world.learner, RequestedItem(world.book, 4), key="key-2")
    session.refresh(first)
    assert (first.state, second.state, selling.stock_of(session, world.book)) == ("cancelled", "placed", 1)
    assert (first.open_learner_id, second.open_learner_id) == (None, world.learner)
    assert [row.kind for row in rows(session, Outbox)] == ["payments.expire"]


def test_a_changed_price_places_nothing_and_leaves_the_open_order(session, world):
    first = selling.buy(session, world.learner, RequestedItem(world.book, 5))
    request = selling.order_request(session, world.learner, RequestedItem(world.course), key="key-2")
    result = selling.place(session, request, Pricing(delivery_minor=500))
    assert isinstance(result, Changed)
    assert [(one.part, one.before, one.after) for one in result.differences] == [
        ("delivery", 0, 500),
        ("total", 4000, 4500),
    ]
    session.refresh(first)
    assert (first.state, selling.stock_of(session, world.book)) == ("placed", 0)
    assert session.scalar(select(func.count(Order.id))) == 1


def owned(session, world):
    grants.grant(session, world.learner, [world.course], grants.GrantSource("seat", 1), NOON)
    return RequestedItem(world.course)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda _session, world: RequestedItem(world.book, 6), "Only 5 of"),
        (lambda _session, world: RequestedItem(world.course, 2), "its quantity is 1"),
        (lambda _session, world: RequestedItem(10**6), "not in the shop"),
        (
            owned,
            "already",
        ),
    ],
    ids=["more than there are", "a course twice", "unknown", "owned"],
)
def test_what_cannot_be_bought_places_nothing(session, world, change, text):
    line = change(session, world)
    request = selling.order_request(session, world.learner, RequestedItem(world.book), key="key-2")
    result = selling.place(session, type(request)(**{**vars(request), "lines": (line,)}))
    assert isinstance(result, Failed)
    assert text in result.refusals[line.product_id]
    assert (rows(session, Order), selling.stock_of(session, world.book)) == ([], 5)


def test_a_coupon_that_is_gone_places_nothing(session, world):
    other = selling.another_learner(session).id
    pricing = Pricing(on_cart=world.coupon)
    selling.buy(session, other, RequestedItem(world.course), coupon_id=world.coupon, pricing=pricing)
    request = selling.order_request(
        session, world.learner, RequestedItem(world.book), coupon_id=world.coupon, pricing=pricing
    )
    result = selling.place(session, request, pricing)
    assert isinstance(result, Failed)
    assert result.refusals == {None: "The code SPRING can no longer be used. Remove it, or use another one."}
    assert (selling.stock_of(session, world.book), selling.uses_of(session, world.coupon)) == (5, 1)

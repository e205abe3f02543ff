"""Refunds that learners ask for: which are approved at once, which wait for a person, which are refused."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants
from domain.orders import events, shipping
from domain.orders.refunds import by_learner
from domain.orders.refunds.by_learner import RefundDecision
from domain.orders.refunds.refundable import refund_offer, refundable
from domain.orders.settings import Context
from domain.tables import Enrolment, Refund, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import RETURNED, SETTINGS, SOON, answer, ask, credited, lines_of, mails, paid
from tests.domain.orders.refunds.buying import ref as ref_of
from tests.domain.orders.selling import LATER, Pricing
from tests.support import factories

NOTHING: frozenset[str] = frozenset()


@pytest.fixture
def world(session):
    return selling.fill(session)


@pytest.fixture
def order(session, world):
    """A course of 40.00, three books of 15.00, a voucher of 90.00, and delivery of 5.00."""
    lines = (RequestedItem(world.course), RequestedItem(world.book, 3), RequestedItem(world.voucher))
    return paid(session, world, *lines)


def state(session, order):
    session.refresh(order)
    rows = session.scalars(select(Refund).where(Refund.order_id == order.id).order_by(Refund.number))
    return order.state, order.refunded_minor, [(row.state, row.amount_minor) for row in rows]


@pytest.mark.each_database
def test_a_request_in_time_is_approved_at_once_and_once_for_each_form(session, order, world):
    for _ in range(2):
        decision = ask(session, order, {1: 1}, key="form", note=" Not for me ")
        assert decision == RefundDecision(1, "approved", 4000, "USD")
    assert state(session, order) == ("paid", 4000, [("approved", 4000)])
    refund = session.scalars(select(Refund)).one()
    assert (refund.note, refund.actor, refund.reason, refund.form_key) == ("Not for me", "learner", "request", "form")
    assert grants.owned_ids(session, world.learner, [world.course], SOON) == {world.course}
    answer(session, order, "succeeded")
    assert grants.owned_ids(session, world.learner, [world.course], SOON) == set()
    assert (credited(session), mails(session)) == ([4000], ["order_paid", "refund_accepted"])


def test_delivery_goes_back_with_the_last_of_the_goods(session, order, world):
    assert ask(session, order, {2: 1}).amount_minor == 1500
    assert ask(session, order, {2: 2}).amount_minor == 3500
    answer(session, order, "succeeded")
    assert (order.state, order.refunded_minor, credited(session)) == ("paid", 5000, [1500, 3500])
    # What was not sent yet is for sale again.
    assert selling.stock_of(session, world.book) == 5


def test_the_last_product_ends_the_order(session, order):
    ask(session, order, {1: 1, 2: 3, 3: 1})
    answer(session, order, "succeeded")
    assert (order.state, order.refunded_minor, credited(session)) == ("refunded", 18000, [18000])


def test_goods_that_were_sent_wait_for_a_person(session, order, world):
    shipping.ship(session, ref_of(order), "command", LATER)
    assert ask(session, order, {2: 3}) == RefundDecision(1, "requested", 5000, "USD")
    assert state(session, order) == ("paid", 0, [("requested", 5000)])
    assert mails(session)[-2:] == ["refund_requested", "staff_refund_requested"]
    with pytest.raises(InvalidInput, match="We are deciding about your request for this"):
        ask(session, order, {2: 1}, key="again")
    assert selling.stock_of(session, world.book) == 2


@pytest.mark.parametrize(("limit", "decided"), [(4000, "approved"), (3999, "requested")])
def test_a_person_decides_about_more_than_the_largest_automatic_amount(session, order, limit, decided, monkeypatch):
    monkeypatch.setattr(by_learner, "automatic_minor", lambda *_: limit)
    assert ask(session, order, {1: 1}).state == decided


def test_the_fourth_request_in_a_year_waits_for_a_person(session, order, world):
    pricing = Pricing()
    orders = [order] + [
        paid(session, world, RequestedItem(world.book), key=f"key-{n}", pricing=pricing) for n in (2, 3)
    ]
    for another in orders:
        number = 3 if another is order else 1
        assert ask(session, another, {number: 1}).state == "approved"
    assert refund_offer(session, order, Context(SOON, SETTINGS)).automatic_minor is None
    assert ask(session, order, {2: 1}).state == "requested"
    # A year later those do not count.
    assert refund_offer(session, order, Context(SOON + timedelta(days=366), SETTINGS)).automatic_minor == 50_000


def test_while_the_money_is_disputed_a_person_decides(session, order):
    order.disputed_at = LATER
    assert ask(session, order, {1: 1}).state == "requested"


def issue_certificate(session, order):
    factories.certificate(session, session.scalars(select(Enrolment)).one())


def use_voucher(session, order):
    code = session.scalars(select(VoucherCode)).one().code
    shipping.use_voucher(session, ref_of(order), code.lower(), "command", LATER)


REFUSALS = {
    "after the window": ({1: 1}, LATER + timedelta(days=30), "ended on March 15, 2026"),
    "with a certificate": ({1: 1}, SOON, "A certificate has been issued for this course."),
    "with a used voucher": ({3: 1}, SOON, "The code has been used to book a sitting."),
    "of more than was bought": ({2: 4}, SOON, "The Book: enter a quantity from 1 to 3."),
    "of no unit": ({2: 0}, SOON, "enter a quantity from 1 to 3."),
    "of another line": ({9: 1}, SOON, "This is not a line of this order."),
    "of delivery": ({4: 1}, SOON, "This is not a line of this order."),
    "of nothing": ({}, SOON, "Choose what you want to return."),
}


def test_what_the_terms_do_not_allow_is_refused_in_their_words(session, order):
    issue_certificate(session, order)
    use_voucher(session, order)
    for name, (units, at, text) in REFUSALS.items():
        with pytest.raises(InvalidInput) as refusal:
            ask(session, order, units, at)
        assert text in str(refusal.value), name
    assert state(session, order) == ("paid", 0, [])


def test_one_wrong_line_refuses_the_whole_request(session, order):
    shipping.ship(session, ref_of(order), "command", LATER)
    with pytest.raises(InvalidInput) as refusal:
        ask(session, order, {1: 1, 2: 4}, confirmed=NOTHING)
    assert refusal.value.errors == {
        "line.2": "The Book: enter a quantity from 1 to 3.",
        "confirm.returned": "Confirm that you return the goods.",
    }
    assert state(session, order) == ("paid", 0, [])


def test_what_the_kind_needs_has_to_be_confirmed(session, order):
    assert ask(session, order, {2: 1}, confirmed=NOTHING, key="not sent yet").state == "approved"
    shipping.ship(session, ref_of(order), "command", LATER)
    with pytest.raises(InvalidInput) as refusal:
        ask(session, order, {2: 1}, confirmed=NOTHING)
    assert refusal.value.errors == {"confirm.returned": "Confirm that you return the goods."}
    assert ask(session, order, {1: 1}, confirmed=NOTHING).state == "approved"
    assert ask(session, order, {2: 1}, confirmed=RETURNED).state == "requested"


def test_an_order_that_is_not_paid_is_refused(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    with pytest.raises(Refused, match="not paid"):
        ask(session, order, {1: 1})
    assert [line.refusal for line in refundable(session, order, Context(SOON))] == ["This order is not paid."]


def test_another_learner_and_an_unknown_code_are_told_the_same(session, order):
    other = selling.another_learner(session).id
    texts = set()
    for learner, code in ((other, order.code), (order.learner_id, "A" * 20)):
        with pytest.raises(NotFound) as unknown:
            by_learner.find_order(session, learner, code)
        texts.add(str(unknown.value))
    assert texts == {"There is no such order in your account."}
    assert by_learner.find_order(session, order.learner_id, order.code.lower()) == order.id


def test_a_form_is_good_for_one_order(session, order, world):
    ask(session, order, {1: 1}, key="form")
    other = paid(session, world, RequestedItem(world.book), key="key-2")
    with pytest.raises(Refused, match="another order"):
        ask(session, other, {1: 1}, key="form")
    assert state(session, other)[2] == []


def test_an_order_of_nothing_is_refunded_without_the_gateway(session, world):
    pricing = Pricing(on_cart=world.coupon)
    free = selling.buy(session, world.learner, RequestedItem(world.course), coupon_id=world.coupon, pricing=pricing)
    free.refund_terms = SETTINGS.refund_terms
    assert ask(session, free, {1: 1}) == RefundDecision(1, "approved", 0, "USD")
    session.refresh(free)
    assert (free.state, selling.uses_of(session, world.coupon), credited(session)) == ("refunded", 0, [])
    assert grants.owned_ids(session, world.learner, [world.course], SOON) == set()


def test_the_form_shows_what_each_number_of_units_is_worth(session, order):
    ask(session, order, {2: 1})
    shipping.ship(session, ref_of(order), "command", LATER)
    offer = refund_offer(session, order, Context(SOON, SETTINGS))
    course, books, voucher = offer.lines
    assert (course.amounts_minor, books.amounts_minor, voucher.amount_minor) == ((4000,), (1500, 3000), 9000)
    assert (books.is_goods, books.is_shipped, books.confirmation, course.confirmation) == (True, True, "returned", None)
    assert (offer.delivery_minor, offer.other_goods, offer.automatic_minor) == (500, 0, 50_000)
    ask(session, order, {2: 1}, key="sent")
    offer = refund_offer(session, order, Context(SOON, SETTINGS))
    assert (offer.lines[1].quantity, offer.other_goods) == (1, 1)


def test_the_timeline_names_no_person(session, order):
    ask(session, order, {1: 1}, note="Ada is ill")
    last = events.timeline(session, order.id)[-1]
    assert (last.kind, last.facts) == ("refund_approved", {"refund": 1, "amount_minor": 4000, "reason": "request"})
    assert lines_of(session, order)[0].refunded_minor == 4000

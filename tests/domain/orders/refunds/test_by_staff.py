"""Refunds by staff, to the cent; what they take back, and what they leave."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.checkout.priced import RequestedItem
from domain.errors import NotFound, Refused
from domain.learning import grants
from domain.orders import events, locks, shipping
from domain.orders.refunds import by_staff
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.tables import Document, Gift, Outbox, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import (
    SETTINGS,
    SOON,
    answer,
    ask,
    by_command,
    credited,
    lines_of,
    mails,
    paid,
    ref,
    refunds,
)
from tests.domain.orders.selling import LATER, Pricing

STAFF = StaffRefund("command", "a reason")


@pytest.fixture
def world(session):
    return selling.fill(session)


@pytest.fixture
def order(session, world):
    """A course of 40.00, three books of 15.00, two vouchers of 90.00, and delivery of 5.00: 270.00."""
    lines = (RequestedItem(world.course), RequestedItem(world.book, 3), RequestedItem(world.voucher, 2))
    return paid(session, world, *lines)


def has_course(session, world):
    return grants.owned_ids(session, world.learner, [world.course], SOON + timedelta(days=1)) == {world.course}


def void_codes(session):
    return [code.number for code in session.scalars(select(VoucherCode)) if code.void_at is not None]


@pytest.mark.each_database
def test_one_of_three_the_rest_later_and_all_sum_to_the_invoice(session, order):
    by_command(session, order, units={2: 1})
    answer(session, order, "succeeded")
    by_command(session, order, units={2: None})
    answer(session, order, "succeeded")
    by_command(session, order)
    answer(session, order, "succeeded")
    invoice = session.scalars(select(Document).where(Document.kind == "invoice")).one()
    assert (credited(session), invoice.body["total_minor"]) == ([1500, 3500, 22000], 27000)
    assert (order.state, order.refunded_minor, selling.payment_of(session, order).refunded_minor) == (
        "refunded",
        27000,
        27000,
    )


def test_thirds_of_ten_dollars_with_tax_sum_to_the_line(session, order):
    line = lines_of(session, order)[1]
    line.total_minor, line.tax_minor, line.net_minor = 1000, 160, 840
    line.taxes = [{"label": "GST", "percent": "9.5", "minor": 80}, {"label": "QST", "percent": "9.5", "minor": 80}]
    session.flush()
    for _ in range(3):
        by_command(session, order, units={2: 1})
        answer(session, order, "succeeded")
    notes = [row.body for row in session.scalars(select(Document).where(Document.kind == "credit_note"))]
    assert [note["lines"][0]["total_minor"] for note in notes] == [333, 334, 333]
    assert [note["lines"][0]["tax_minor"] for note in notes] == [53, 54, 53]
    by_rate = [[tax["minor"] for tax in note["lines"][0]["taxes"]] for note in notes]
    assert [sum(column) for column in zip(*by_rate, strict=True)] == [80, 80]


def test_an_amount_of_a_line_keeps_its_access(session, order, world):
    refund = by_command(session, order, units={1: None}, amount="15.50")
    answer(session, order, "succeeded")
    assert (refund.amount_minor, refund.keeps_access, credited(session)) == (1550, True, [1550])
    assert (lines_of(session, order)[0].refunded_quantity, has_course(session, world)) == (0, True)
    by_command(session, order, units={1: None})
    answer(session, order, "succeeded")
    assert (credited(session), has_course(session, world), order.state) == ([1550, 2450], False, "paid")


def test_access_that_is_kept_survives_the_refund_of_everything_else(session, order, world):
    by_command(session, order, units={1: None}, keeps_access=True)
    by_command(session, order)
    answer(session, order, "succeeded")
    assert (order.refunded_minor, order.state, has_course(session, world)) == (27000, "paid", True)
    assert void_codes(session) == [1, 2]


@pytest.mark.parametrize(("restocks", "stock"), [(True, 4), (False, 2)])
def test_goods_are_for_sale_again_if_staff_say_so(session, order, world, restocks, stock):
    by_command(session, order, units={2: 2}, restocks=restocks)
    assert selling.stock_of(session, world.book) == 2
    answer(session, order, "succeeded", "succeeded")
    assert selling.stock_of(session, world.book) == stock


def test_unused_codes_become_void_the_last_ones_first(session, order):
    first = session.scalars(select(VoucherCode).where(VoucherCode.number == 1)).one().code
    shipping.use_voucher(session, ref(order), first, "command", LATER)
    by_command(session, order, units={3: 1})
    answer(session, order, "succeeded")
    assert void_codes(session) == [2]
    with pytest.raises(Refused, match="used already"):
        shipping.use_voucher(session, ref(order), first, "command", SOON)
    second = session.scalars(select(VoucherCode).where(VoucherCode.number == 2)).one().code
    with pytest.raises(Refused, match="was refunded"):
        shipping.use_voucher(session, ref(order), second, "command", SOON)


def test_a_gift_can_no_longer_be_claimed(session, world):
    gift = {"recipient_email": "bob@example.test", "message": ""}
    order = paid(session, world, RequestedItem(world.course, gift=gift), pricing=Pricing())
    by_command(session, order)
    answer(session, order, "succeeded")
    assert [row.state for row in session.scalars(select(Gift))] == ["returned"]


@pytest.mark.parametrize(("units", "uses"), [({1: None}, 1), ({}, 0)], ids=["one of two lines", "both"])
def test_the_coupon_of_the_whole_cart_goes_back_with_its_last_line(session, world, units, uses):
    pricing, lines = Pricing(on_cart=world.coupon), (RequestedItem(world.course), RequestedItem(world.voucher))
    order = selling.buy(session, world.learner, *lines, coupon_id=world.coupon, pricing=pricing)
    by_command(session, order, units=units)
    assert selling.uses_of(session, world.coupon) == uses


def test_money_that_is_paid_back_outside_the_gateway_is_not_sent(session, order, world):
    refund = by_command(session, order, units={1: None}, is_manual=True)
    assert (refund.state, has_course(session, world), credited(session)) == ("manual", False, [4000])
    assert [row.kind for row in session.scalars(select(Outbox)) if row.kind.startswith("payments.refund")] == []
    kinds = [(event.kind, event.actor) for event in events.timeline(session, order.id)][-2:]
    assert kinds == [("refund_paid_manually", "command"), ("refund_accepted", "command")]


@pytest.mark.parametrize("states", [("succeeded", "failed"), ("failed",)], ids=["later", "at once"])
def test_a_refund_that_fails_is_paid_by_people_with_one_credit_note(session, order, world, states):
    by_command(session, order, units={1: None})
    answer(session, order, *states)
    assert ([row.state for row in refunds(session)], has_course(session, world)) == (["failed"], states == ("failed",))
    assert mails(session)[-2:] == ["refund_failed", "staff_refund_failed"]
    done = by_staff.pay_failed_manually(session, ref(order), STAFF, Context(SOON, SETTINGS))
    assert [row.state for row in done] == ["manual"]
    assert (credited(session), has_course(session, world), order.refunded_minor) == ([4000], False, 4000)
    assert by_staff.pay_failed_manually(session, ref(order), STAFF, Context(SOON, SETTINGS)) == []


def request_by_learner(session, order, units):
    """A request for goods that were sent."""
    if lines_of(session, order)[1].shipped_at is None:
        shipping.ship(session, ref(order), "command", LATER)
    return ask(session, order, units, key=f"form-{len(refunds(session))}").number


def test_three_requests_of_one_piece_each_sum_to_the_line_and_its_delivery(session, order, world):
    line = lines_of(session, order)[1]
    line.total_minor = line.net_minor = 1000
    session.flush()
    numbers = [request_by_learner(session, order, {2: 1}) for _ in range(3)]
    assert [row.amount_minor for row in refunds(session)] == [333, 333, 333]
    for number in numbers:
        by_staff.approve_request(session, ref(order), number, STAFF, Context(SOON, SETTINGS))
    assert [row.amount_minor for row in refunds(session)] == [333, 334, 833]
    answer(session, order, "succeeded")
    assert (order.refunded_minor, credited(session)) == (1500, [333, 334, 833])


def test_a_declined_request_changes_nothing_and_may_be_made_again(session, order, world):
    number = request_by_learner(session, order, {2: 1})
    row = by_staff.decline_request(session, ref(order), number, STAFF, Context(SOON, SETTINGS))
    assert (row.state, row.note, row.answer, order.refunded_minor) == ("declined", "", "a reason", 0)
    assert mails(session)[-1] == "refund_declined"
    with pytest.raises(Refused, match="is declined already"):
        by_staff.approve_request(session, ref(order), number, STAFF, Context(SOON, SETTINGS))
    assert request_by_learner(session, order, {2: 1}) == 2


REFUSALS = {
    "more units than there are": ({"units": {2: 4}}, "Line 2 has 3 of 3 left to refund."),
    "another line": ({"units": {7: None}}, "The order has no line 7."),
    "no unit": ({"units": {2: 0}}, "Line 2 has 3 of 3 left to refund."),
    "more than the line": ({"units": {1: None}, "amount": "40.01"}, "4001 of 4000 minor units"),
    "nothing": ({"units": {1: None}, "amount": "0"}, "The amount is 0."),
    "too fine an amount": ({"units": {1: None}, "amount": "1.001"}, "The amount cannot be refunded of line 1"),
    "an amount of no line": ({"amount": "1"}, "name it, without a quantity"),
    "an amount of a unit": ({"units": {2: 1}, "amount": "1"}, "name it, without a quantity"),
    "an amount of two lines": ({"units": {1: None, 2: None}, "amount": "1"}, "name it, without a quantity"),
}


def test_what_cannot_be_refunded_is_refused_with_a_sentence(session, order):
    for name, (about, text) in REFUSALS.items():
        with pytest.raises(Refused) as refusal:
            by_command(session, order, **about)
        assert text in str(refusal.value), name
    assert (refunds(session), order.refunded_minor) == ([], 0)


def test_an_open_request_is_decided_before_its_units_are_refunded(session, order):
    number = request_by_learner(session, order, {2: 2})
    for units in ({2: 2}, {}):
        with pytest.raises(Refused, match="Decide about the open request for line 2 first"):
            by_command(session, order, units=units)
    by_command(session, order, units={2: 1})
    by_staff.approve_request(session, ref(order), number, STAFF, Context(SOON, SETTINGS))
    assert order.refunded_minor == 5000


def test_all_at_the_second_time_is_nothing(session, order):
    by_command(session, order)
    answer(session, order, "pending")
    with pytest.raises(Refused, match="This order is refunded"):
        by_command(session, order)


def test_an_unknown_order_and_an_unknown_refund_are_named(session, order):
    with pytest.raises(NotFound, match="There is no order NONE"):
        locks.ref_of(session, "NONE")
    with pytest.raises(NotFound, match="The order has no refund 4"):
        by_staff.approve_request(session, ref(order), 4, STAFF, Context(SOON, SETTINGS))


def test_goods_are_sent_and_delivered_once(session, order):
    assert [line.number for line in shipping.ship(session, ref(order), "command", LATER)] == [2]
    assert mails(session)[-1] == "goods_shipped"
    with pytest.raises(Refused, match="left to send"):
        shipping.ship(session, ref(order), "command", LATER)
    shipping.deliver(session, ref(order), "command", SOON)
    with pytest.raises(Refused, match="on its way"):
        shipping.deliver(session, ref(order), "command", SOON)
    line = lines_of(session, order)[1]
    assert (line.shipped_at, line.delivered_at) == (LATER, SOON)
    assert [event.kind for event in events.timeline(session, order.id)][-2:] == ["shipped", "delivered"]


def test_refunded_goods_are_not_sent(session, order):
    by_command(session, order, units={2: None})
    with pytest.raises(Refused, match="left to send"):
        shipping.ship(session, ref(order), "command", LATER)

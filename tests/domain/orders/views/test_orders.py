"""Orders as their learner sees them: all that belongs to one, and nothing for anybody else."""

from datetime import timedelta

import pytest

from domain.checkout.priced import RequestedItem
from domain.documents.issuer import Issuer
from domain.errors import NotFound
from domain.learning import bundles
from domain.orders.refunds import gateway_results
from domain.orders.settings import Context, OrderSettings
from domain.orders.views import listing as order_listing
from domain.orders.views import order as order_view
from domain.orders.views import status as order_status
from domain.orders.views.records import ProductRef, RefundLineView, StepView, UnusedOfferView
from tests.domain.orders import samples, selling
from tests.domain.orders.selling import LATER, SETTINGS, Pricing
from tests.domain.orders.views.reading import (
    HOUR,
    refund,
    view,
)
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import counted


def test_a_placed_order_shows_its_lines_its_totals_and_how_long_it_is_reserved(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book, 2))
    shown = view(session, order)
    assert (shown.code, shown.state, shown.state_text) == (order.code, "placed", "Waiting for payment")
    assert (shown.can_pay, shown.can_cancel, shown.is_disputed) == (True, True, False)
    assert (shown.reserved_until, shown.paid_at) == (NOON + timedelta(minutes=36), None)
    course, book = shown.lines
    assert (course.number, course.quantity, course.unit_price, course.total) == (1, 1, 4000, 4000)
    assert book.product == ProductRef("item", world.book, "the-book", book.name)
    assert (book.quantity, book.total, book.fulfilment) == (2, 3000, "shipped")
    assert book.steps == (StepView("list", "", 0, 3000, 0),)
    assert (shown.totals.subtotal, shown.totals.total, shown.totals.refunded) == (7000, 7000, 0)
    assert shown.billing == ("Ada", "UNITED STATES")
    assert [(payment.number, payment.state_text, payment.failure) for payment in shown.payments] == [
        (1, "Not begun", "")
    ]
    assert [event.text for event in shown.events] == ["Ordered for $70.00"]
    german = order_view.order_view(
        session, order.learner_id, order.code, LATER, OrderSettings(issuer=Issuer("", locale="de-DE"))
    )
    assert [event.text for event in german.events] == ["Ordered for 70,00\N{NO-BREAK SPACE}$"]
    assert (course.courses, shown.documents, shown.refunds) == ((), (), ())


def test_a_paid_order_shows_all_that_it_gave(session, world):
    bundles.put_courses(session, world.bundle, [world.course])
    lines = (RequestedItem(world.bundle), RequestedItem(world.voucher, 2))
    order = selling.buy(session, world.learner, *lines, pricing=Pricing(delivery_minor=500))
    selling.pay(session, order)
    shown = view(session, order)
    bundle, voucher, delivery = shown.lines
    assert [course.id for course in bundle.courses] == [world.course]
    assert [(code.state_text, len(code.code)) for code in voucher.voucher_codes] == [("Not used yet", 12)] * 2
    assert (delivery.kind, delivery.product, delivery.name) == ("delivery", None, "Standard")
    assert [document.kind for document in shown.documents] == ["invoice"]
    assert [(payment.state_text, payment.method) for payment in shown.payments] == [("Paid", "Visa 4242")]
    assert [event.text for event in shown.events] == ["Ordered for $245.00", "Paid"]
    assert (shown.state_text, shown.can_pay, shown.can_cancel) == ("Paid", False, False)
    assert shown.taxes == ()


def test_a_gift_shows_its_recipient_and_opens_nothing(session, world):
    gift = {"recipient_email": "bob@example.test", "message": "Enjoy", "send_at": NOON.isoformat()}
    order = selling.buy(session, world.learner, RequestedItem(world.course, gift=gift))
    selling.pay(session, order)
    (line,) = view(session, order).lines
    assert line.gift is not None
    assert (line.gift.recipient_email, line.gift.send_at, line.courses) == ("bob@example.test", NOON, ())


def test_a_refund_shows_its_lines_its_reason_and_how_far_it_is(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book, 2))
    selling.pay(session, order)
    row = refund(session, order, 2)
    (shown,) = view(session, order).refunds
    assert (shown.number, shown.amount, shown.state_text) == (1, 1500, "Approved, on its way to you")
    assert (shown.reason_text, shown.note) == ("You asked for it", "Wrong size")
    assert shown.lines == (RefundLineView(2, "The Book", 1, 1500),)
    gateway_results.mark_sent(session, row, LATER)
    whole = view(session, order)
    assert (whole.state_text, whole.totals.refunded, whole.lines[1].refunded) == ("Partly refunded", 1500, 1500)
    assert "Refund of $15.00 approved" in [event.text for event in whole.events]


def test_a_line_that_was_taken_back_opens_no_course_any_more(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.voucher))
    selling.pay(session, order)
    row = refund(session, order, 1)
    gateway_results.accept(session, order, row, Context(LATER, SETTINGS))
    course, _ = view(session, order).lines
    assert (course.courses, course.ended_at) == ((), LATER)


QUOTE = {
    "output": {
        "lines": [
            {
                "id": 0,
                "rejected_offers": [
                    {
                        "step": "code",
                        "name": "SPRING",
                        "total": "36.00",
                        "reason": "higher",
                        "message": "Another is lower.",
                    }
                ],
            }
        ],
        "refusals": [
            {"step": "coupon", "name": "AUTUMN", "line_id": None, "reason": "over", "message": "It has ended."},
        ],
    }
}


def test_offers_that_did_not_count_are_shown_with_the_reason(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    line = {**QUOTE["output"]["lines"][0], "id": world.course}
    order.quote = {"output": {**QUOTE["output"], "lines": [line]}}
    session.flush()
    shown = view(session, order)
    assert shown.lines[0].unused_offers == (UnusedOfferView("code", "SPRING", 3600, "Another is lower."),)
    assert shown.unused_offers == (UnusedOfferView("coupon", "AUTUMN", None, "It has ended."),)


def test_an_order_takes_as_many_statements_with_many_lines_as_with_few(session, world):
    category = factories.category(session, "more").id
    courses = [factories.course(session, category, f"more-{number}").id for number in range(20)]
    few = selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.voucher))
    many = [RequestedItem(course) for course in courses]
    other = selling.another_learner(session).id
    large = selling.buy(session, other, *many, RequestedItem(world.voucher, 5), key="key-2")
    for order in (few, large):
        selling.pay(session, order)
        refund(session, order, 1)
    counts = []
    for order in (few, large):
        with counted(session) as statements:
            view(session, order)
        counts.append(len(statements))
    assert counts == [18, 18]


@pytest.mark.parametrize("read", [order_view.order_view, order_status.status_view])
def test_another_learner_reads_nothing_and_cannot_tell_the_order_from_an_unknown_one(session, world, read):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    other = selling.another_learner(session).id
    refusals = []
    for code in (order.code, "A" * 20, "", "x" * 128, "Ö" * 20):
        with counted(session) as statements, pytest.raises(NotFound) as refusal:
            read(session, other, code, LATER, SETTINGS)
        refusals.append((str(refusal.value), statements))
    assert refusals == [("There is no such order in your account.", refusals[0][1])] * 5
    assert len(refusals[0][1]) == 1


@pytest.mark.each_database
def test_a_code_is_read_in_any_case(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    assert order_view.order_view(session, world.learner, order.code.lower(), LATER).code == order.code


@pytest.mark.each_database
def test_pages_of_orders_are_the_newest_first_and_a_learners_own(session, world):
    for number in range(26):
        code = f"{number:020}"
        samples.order(session, world.learner, "cancelled", code=code, placed_at=NOON + number * HOUR)
    other = selling.another_learner(session).id
    selling.buy(
        session, other, RequestedItem(world.course), RequestedItem(world.book), pricing=Pricing(delivery_minor=9)
    )
    with counted(session) as statements:
        first = order_listing.page_of_orders(session, world.learner, 1)
    assert (len(first.orders), first.pages, first.orders[0].code) == (24, 2, f"{25:020}")
    assert [order.code for order in order_listing.page_of_orders(session, world.learner, 2).orders] == [
        f"{1:020}",
        f"{0:020}",
    ]
    assert order_listing.page_of_orders(session, world.learner, 3).orders == ()
    assert len(statements) == 4
    (order,) = order_listing.page_of_orders(session, other, 1).orders
    assert (order.names, order.total, order.state_text) == (("Vat Basics", "The Book"), 5509, "Waiting for payment")
    assert order_listing.page_of_orders(session, factories.learner(session, "Nobody").id, 1).pages == 1

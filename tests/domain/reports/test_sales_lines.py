"""The one door to orders: lines of paid orders, what went back of them, and when either has changed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.reports import sales_lines
from domain.reports.sales_lines import PAID_STATES
from domain.tables import Order
from tests.domain.orders import taxed
from tests.domain.reports import selling_days
from tests.domain.reports.selling_days import at_day

pytestmark = pytest.mark.each_database
EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
TICK = timedelta(microseconds=1)


@pytest.fixture
def week(session):
    return selling_days.fill(session)


def lines_of(session, order):
    return [line for line in sales_lines.lines(session, *EVER) if line.order_id == order.id]


def test_a_line_has_what_reports_need_of_its_order(session, week):
    course, books, delivery = lines_of(session, week.mixed)
    assert (course.kind, course.product_id, course.quantity, course.line_code, course.cart_code) == (
        *("product", week.course, 1, "spring10", ""),
    )
    assert (course.learner_id, course.student_number, course.currency) == (week.learner, week.number, "USD")
    assert (course.placed_at, course.paid_at) == (week.mixed.placed_at, week.mixed.paid_at)
    assert [
        (line.gross_minor, line.discount_minor, line.tax_minor, line.refunded_net_minor, line.refunded_tax_minor)
        for line in (course, books, delivery)
    ] == [(4684, 400, 684, 0, 0), (4815, 0, 315, 3000, 210), (583, 0, 93, 0, 0)]
    assert [line.net_minor for line in (course, books, delivery)] == [3600, 1500, 490]
    assert (delivery.kind, delivery.product_id, delivery.category_id, delivery.units) == ("delivery", None, None, 0)


def test_a_line_of_nothing_is_all_discount(session, week):
    (line,) = lines_of(session, week.free)
    assert (line.gross_minor, line.discount_minor, line.tax_minor, line.net_minor) == (4000, 4000, 0, 0)


def test_lines_come_by_the_time_of_payment_order_and_number(session, week, monkeypatch):
    found = list(sales_lines.lines(session, *EVER))
    assert found == sorted(found, key=lambda line: (line.paid_at, line.order_id, line.line_id))
    monkeypatch.setattr(sales_lines, "_CHUNK", 2)
    assert list(sales_lines.lines(session, *EVER)) == found
    assert {line.order_id for line in found} == {
        order.id for order in session.query(Order) if order.state in PAID_STATES
    }


def test_a_period_begins_with_its_first_moment_and_ends_before_its_last(session, week):
    paid_at = week.mixed.paid_at
    for since, until, number in (
        (paid_at, paid_at + TICK, 3),
        (paid_at - TICK, paid_at, 0),
        (paid_at + TICK, at_day(1) + timedelta(hours=1), 0),
    ):
        assert len([line for line in sales_lines.lines(session, since, until) if line.order_id == week.mixed.id]) == (
            number
        )


def test_what_went_back_names_its_line_and_its_moment(session, week):
    found = [back for back in sales_lines.returns(session, *EVER) if back.line.order_id == week.disputed.id]
    assert [(back.returned_at, back.net_minor, back.tax_minor) for back in found] == [
        (at_day(5), 4000, 760),
        (at_day(6), -840, -160),
    ]
    assert {back.line.refunded_net_minor for back in found} == {3160}
    assert [back.net_minor for back in sales_lines.returns(session, at_day(6), at_day(6) + TICK)] == [-840]


def test_an_approved_refund_is_no_return_before_the_gateway_has_it(session, week):
    (line,) = lines_of(session, week.waiting)
    assert (line.refunded_net_minor, week.waiting.refunded_minor) == (0, 4760)


def test_an_order_that_changes_names_the_times_of_payment_and_of_every_credit_note(session, week):
    at = at_day(20)
    assert sales_lines.changed_since(session, at) == set()
    taxed.give_back(session, week.mixed, {1: 1}, at=at)
    times = {week.mixed.paid_at, at_day(3), at_day(4), at}
    assert sales_lines.changed_since(session, at) == times
    assert sales_lines.changed_since(session, at + timedelta(hours=1)) == set()
    assert times < sales_lines.changed_since(session, None)
    assert sales_lines.times_of_learner(session, week.learner) == {*times, week.mixed.paid_at}


def test_a_line_is_worth_what_was_paid_less_tax_and_what_went_back():
    line = replace(LINE, gross_minor=1190, discount_minor=200, tax_minor=158, refunded_net_minor=800)
    assert line.net_minor == 32


LINE = sales_lines.SaleLine(*(1, 1, "product", 1, "s-ada", 1, 1, 1, "USD", EVER[0], EVER[0]), *(0, 0, 0, 0, 0), "", "")

"""Exports: document lines, payments by day and tax by place sum to the cent, and documents agree with the money."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select, update

from domain.checkout.priced import RequestedItem
from domain.orders.export import pages
from domain.orders.export.agreement import CurrencySums
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.tables import Document, Order, Payment
from tests.domain.orders import selling, taxed
from tests.support import factories
from tests.support.factories import NOON

ALL = Period()
NEXT_DAY = NOON + timedelta(days=1)


@pytest.fixture
def world(session):
    return taxed.fill(session)


@pytest.fixture
def order(session, world):
    """A course of 47.60 and three books of 48.15 with 5.83 for delivery; a day later one book is back."""
    order = taxed.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book, 3))
    taxed.give_back(session, order, {2: 1}, at=NEXT_DAY)
    return order


def written(session, kind, period=ALL):
    """The rows after the header, as they would be printed, and the agreement."""
    rows = []
    agreement = export(session, kind, period, rows.append)
    return [tuple(str(cell) for cell in row) for row in rows[1:]], agreement


@pytest.mark.each_database
def test_a_document_line_is_a_row_and_those_of_credit_notes_are_negative(session, order):
    rows, agreement = written(session, "documents")
    assert [(row[0], row[1], row[2], *row[4:5], *row[7:12]) for row in rows] == [
        ("2026-000001", "invoice", "2026-03-01", "1", "1", "40.00", "7.60", "47.60", "USD"),
        ("2026-000001", "invoice", "2026-03-01", "2", "3", "45.00", "3.15", "48.15", "USD"),
        ("2026-000001", "invoice", "2026-03-01", "3", "1", "4.90", "0.93", "5.83", "USD"),
        ("C2026-000001", "credit_note", "2026-03-02", "1", "-1", "-15.00", "-1.05", "-16.05", "USD"),
    ]
    assert [row[12:16] for row in rows][-1] == ("DE", "", "standard", "VAT 7%")
    assert rows[-1][-2:] == ("2026-000001", "")
    assert agreement.is_right
    assert agreement.sums == (CurrencySums("USD", 8553, 10158, 1605, 0),)


@pytest.mark.each_database
def test_payments_are_summed_by_the_day_of_their_settlement(session, order):
    rows, _ = written(session, "payments")
    assert rows == [
        ("2026-03-01", "stripe", "USD", "1", "101.58", "0", "0.00", "101.58"),
        ("2026-03-02", "stripe", "USD", "0", "0.00", "1", "16.05", "-16.05"),
    ]


def test_tax_is_summed_by_place_and_rate(session, order):
    rows, _ = written(session, "tax")
    assert rows == [
        ("DE", "", "standard", "VAT", "19", "USD", "1", "44.90", "8.53"),
        ("DE", "", "standard", "VAT", "7", "USD", "2", "30.00", "2.10"),
    ]


@pytest.mark.each_database
def test_a_period_has_whole_days_and_says_what_moved_on_the_other_side(session, order):
    first_day, agreement = written(session, "documents", Period(last=date(2026, 3, 1)))
    assert {row[0] for row in first_day} == {"2026-000001"}
    assert agreement.sums == (CurrencySums("USD", 10158, 10158, 0, 0),)
    rows, agreement = written(session, "documents", Period(date(2026, 3, 2), date(2026, 3, 2)))
    assert ([row[0] for row in rows], agreement.sums) == (["C2026-000001"], (CurrencySums("USD", -1605, 0, 1605, 0),))
    assert agreement.is_right


def test_a_payment_of_one_day_with_the_invoice_of_the_next_is_under_way(session, order):
    before = NOON - timedelta(days=1)
    session.execute(update(Payment).values(paid_at=before))
    for period, sums in (
        (Period(last=before.date()), CurrencySums("USD", 0, 10158, 0, -10158)),
        (Period(NOON.date(), NOON.date()), CurrencySums("USD", 10158, 0, 0, 10158)),
        (ALL, CurrencySums("USD", 8553, 10158, 1605, 0)),
    ):
        agreement = written(session, "tax", period)[1]
        assert (agreement.sums, agreement.is_right) == ((sums,), True)


@pytest.mark.parametrize(("state", "refunds", "under_way"), [("pending", 1605, -1605), ("failed", 1605, -1605)])
def test_money_that_is_still_to_go_back_is_under_way(session, order, state, refunds, under_way):
    taxed.give_back(session, order, {2: 1}, "pending")
    if state == "failed":
        refund = taxed.give_back(session, order, {1: 1}, "approved")
        taxed.tell(session, order, refund, "failed")
    agreement = written(session, "tax")[1]
    assert agreement.sums == (CurrencySums("USD", 6948, 10158, refunds, under_way),)
    assert agreement.is_right


def test_a_second_payment_is_under_way_until_it_is_back(session, order):
    selling.add_payment(session, order, 2)
    selling.apply(session, order, selling.snapshot(order, 2, paid_at=NOON), 2, NEXT_DAY)
    agreement = written(session, "payments")[1]
    assert agreement.sums == (CurrencySums("USD", 8553, 20316, 1605, -10158),)
    assert agreement.is_right


def test_a_free_order_has_no_invoice_and_lacks_none(session, world):
    session.get_one(factories.Product, world.course).list_price = Decimal(0)
    session.flush()
    taxed.place(session, world.learner, RequestedItem(world.course))
    rows, agreement = written(session, "documents")
    assert (rows, agreement.sums, agreement.is_right) == ([], (), True)


def test_a_document_of_another_amount_than_its_payment_is_named(session, order):
    session.execute(update(Payment).values(amount_minor=10_000))
    agreement = written(session, "documents")[1]
    assert not agreement.is_right
    assert agreement.problems == ["2026-000001: 10158 USD in minor units, but 10000 were moved"]
    assert agreement.sums[0].difference == 158


def test_a_paid_order_without_its_invoice_is_named(session, order):
    session.delete(session.scalars(select(Document).where(Document.kind == "invoice")).one())
    session.flush()
    agreement = written(session, "tax")[1]
    assert agreement.problems == [f"order {order.code}: paid, but without an invoice"]
    assert agreement.sums[0].difference == -10158


def test_a_refund_without_its_credit_note_is_named(session, order):
    session.delete(session.scalars(select(Document).where(Document.kind == "credit_note")).one())
    session.flush()
    agreement = written(session, "tax")[1]
    assert agreement.problems == [f"order {order.code}: a refund without a credit note"]
    assert agreement.sums[0].difference == 1605


def test_rows_are_read_a_page_at_a_time(session, world, monkeypatch):
    monkeypatch.setattr(pages, "PAGE_ROWS", 2)
    learners = [factories.learner(session, f"Buyer {number}").id for number in range(5)]
    codes = [taxed.buy(session, learner, RequestedItem(world.course)).code for learner in learners]
    rows, agreement = written(session, "documents")
    assert [row[3] for row in rows] == codes
    assert [row[3] for row in written(session, "payments")[0]] == ["5"]
    assert (agreement.documents["USD"], session.scalar(select(Order.currency).limit(1))) == (5 * 4760, "USD")

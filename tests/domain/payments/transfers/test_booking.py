"""What an entry of a statement does to the order that it names."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.bank_transfers.references import reference_of
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.explanation.explain import explain
from domain.orders.locks import ref_of
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.failed_refunds import failed_refunds, settle_as_staff
from domain.payments import refund_calls
from domain.payments.transfers import staff_list
from domain.tables import AuditEvent, Contract, Document, Order, Outbox, Refund
from tests.domain.payments.transfers.world import (
    CONTEXT,
    LATE,
    SETTINGS,
    authority,
    awaited,
    book,
    decide,
    entries,
    entry,
    job,
    kinds,
    later,
    mails,
    payment,
)
from tests.domain.seats.world import states as seat_states
from tests.support.factories import NOON


def expire(session, order: Order) -> None:
    assert expiry.expire(session, DueOrder(order.id, order.learner_id), LATE)


@pytest.mark.each_database
def test_the_exact_amount_pays_the_order_and_gives_what_it_is_for(session):
    found = awaited(session)
    assert book(session, found.job_id, entry(found.order)) == ["settled"]
    order, row = found.order, payment(session, found.order)
    assert (order.state, row.state, row.paid_at, row.reconciled_at) == ("paid", "paid", NOON, NOON)
    assert kinds(session, order) == ["place", "await_transfer", "settle"]
    assert [state for _, state, _ in seat_states(session, found.world.contract)] == ["free"] * 4
    assert session.scalars(select(Document.kind)).all() == ["invoice"]
    assert mails(session)[-1] == "order_paid"
    assert explain(session, order.code).differences == ()
    assert entries(session) == [("used", "", 7_500, 7_500, 0)]
    assert staff_list.transfer_books(session) == (1, 0, [])
    assert session.scalars(select(AuditEvent.action)).all() == ["bank_entry.settle"]


@pytest.mark.each_database
def test_the_same_statement_twice_books_nothing_twice(session):
    found = awaited(session)
    other = entry(None, "10.00")
    assert book(session, found.job_id, entry(found.order), other) == ["settled", "unknown"]
    again = book(session, job(session, "again"), entry(found.order), other)
    assert again == ["known", "known"]
    assert len(entries(session)) == 2


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"text": "no reference"}, "unknown"),
        ({"text": "RF00 ABCD EFGH JK23 4567 8NPQ"}, "unknown"),
        ({"text": reference_of("BBBBBBBBBBBBBBBBBBBB")}, "unknown"),
        ({"currency": "EUR"}, "currency"),
        ({"doubt": "currency", "instructed": "43.50 EUR"}, "currency"),
        ({"doubt": "sum"}, "sum"),
        ({"amount_minor": 7_499}, "part"),
        ({"amount_minor": 7_501}, "more"),
        ({"amount_minor": 0}, "part"),
        ({"kind": "debit"}, "noted"),
        ({"kind": "debit_reversed"}, "noted"),
        ({"kind": "credit_reversed"}, "reversed"),
    ],
)
def test_what_is_not_the_exact_amount_with_the_reference_is_told_apart(session, change, outcome):
    found = awaited(session)
    assert book(session, found.job_id, replace(entry(found.order), **change)) == [outcome]
    assert found.order.state == ("paid" if outcome == "more" else "processing")
    assert staff_list.transfer_books(session).differences == []


def test_a_bare_code_is_a_hint_for_staff_and_pays_nothing(session):
    found = awaited(session)
    assert book(session, found.job_id, entry(found.order, text=f"order {found.order.code}")) == ["unknown"]
    row = session.scalars(select(staff_list.BankEntry)).one()
    assert (row.order_id, row.state, found.order.state) == (found.order.id, "open", "processing")


@pytest.mark.each_database
def test_parts_add_up_and_what_is_too_much_waits_to_be_given_back(session):
    found = awaited(session)
    order = found.order
    assert book(session, found.job_id, entry(order, "30.00"), entry(order, "40.00")) == ["part", "part"]
    assert (order.state, mails(session)[2:]) == ("processing", ["transfer_short", "transfer_short"])
    assert book(session, found.job_id, entry(order, "6.01")) == ["more"]
    assert order.state == "paid"
    assert payment(session, order).amount_minor == 7_500
    assert entries(session) == [
        ("used", "", 3_000, 3_000, 0),
        ("used", "", 4_000, 4_000, 0),
        ("open", "more", 601, 500, 0),
    ]
    assert staff_list.transfer_books(session) == (1, 1, [])
    assert explain(session, order.code).differences == ()


def test_money_for_a_paid_order_waits_for_a_person(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order))
    assert book(session, found.job_id, entry(found.order, booked_on=NOON.date())) == ["paid"]
    assert entries(session)[1] == ("open", "paid", 7_500, 0, 0)
    assert kinds(session, found.order).count("settle") == 1


@pytest.mark.each_database
def test_money_after_the_end_buys_the_order_while_everything_is_there(session):
    found = awaited(session)
    expire(session, found.order)
    assert book(session, found.job_id, entry(found.order), context=LATE) == ["settled"]
    assert (found.order.state, payment(session, found.order).state) == ("paid", "paid")
    assert staff_list.transfer_books(session).differences == []


@pytest.mark.each_database
def test_money_after_the_end_goes_back_by_hand_once_something_is_gone(session):
    found = awaited(session)
    order = found.order
    expire(session, order)
    session.get_one(Contract, found.world.contract).ends_at = NOON + timedelta(days=1)
    session.flush()
    assert book(session, found.job_id, entry(order), context=LATE) == ["settled"]
    refund = session.scalars(select(Refund)).one()
    assert (order.state, refund.reason, refund.state, refund.amount_minor) == ("expired", "late", "approved", 7_500)
    assert "payments.refund" not in session.scalars(select(Outbox.kind)).all()
    assert refund_calls.stuck(session, LATE.at + timedelta(days=1), 10) == []
    [waiting] = failed_refunds(session, order.id)
    assert (waiting.can_retry, waiting.is_by_hand) == (False, True)
    proof = StaffDecision(refund.number, "Transfer 4711")
    decide(session, settle_as_staff, ref_of(session, order.code), proof, authority(), LATE)
    assert (refund.state, payment(session, order).refunded_minor) == ("manual", 7_500)
    assert staff_list.transfer_books(session).differences == []


def test_less_than_an_ended_order_costs_waits_and_counts_once_the_rest_comes(session):
    found = awaited(session)
    order = found.order
    book(session, found.job_id, entry(order, "30.00"))
    expire(session, order)
    assert book(session, found.job_id, entry(order, "40.00"), context=LATE) == ["ended"]
    assert book(session, found.job_id, entry(order, "5.00"), context=LATE) == ["settled"]
    assert order.state == "paid"
    assert [used for _, _, _, used, _ in entries(session)] == [3_000, 4_000, 500]


@pytest.mark.each_database
@pytest.mark.parametrize("by", ["bank_id", "text"])
def test_a_reversed_credit_that_has_paid_is_flagged_and_nothing_is_undone(session, by):
    found = awaited(session)
    money = entry(found.order, bank_id="N1")
    book(session, found.job_id, money)
    taken = replace(money, kind="credit_reversed", **({"text": "return"} if by == "bank_id" else {"bank_id": "N2"}))
    assert book(session, found.job_id, taken, context=later(3)) == ["reversed"]
    assert (found.order.state, entries(session)[1]) == ("paid", ("open", "reversed", 7_500, 0, 0))
    assert kinds(session, found.order)[-1] == "transfer_reversed"
    # Once more the same statement.
    assert book(session, found.job_id, money, taken) == ["known", "known"]


def test_a_reversed_part_counts_no_more(session):
    found = awaited(session)
    part = entry(found.order, "50.00", bank_id="N1")
    book(session, found.job_id, part, replace(part, kind="credit_reversed"))
    assert entries(session) == [("returned", "", 5_000, 0, 5_000), ("noted", "", 5_000, 0, 0)]
    assert book(session, found.job_id, entry(found.order, "25.00")) == ["part"]


def test_what_a_reversal_takes_back_may_be_unknown(session):
    found = awaited(session)
    assert book(session, found.job_id, entry(None, kind="credit_reversed")) == ["reversed"]
    assert entries(session) == [("open", "reversed", 7_500, 0, 0)]


@pytest.mark.parametrize(("currency", "total", "part"), [("JPY", 7_500, 7_499), ("KWD", 75_000, 74_990)])
def test_sums_are_exact_in_currencies_of_none_and_three_decimals(session, currency, total, part):
    found = awaited(session)
    found.order.currency, found.order.total_minor = currency, total
    payment(session, found.order).amount_minor = total
    session.flush()
    about = {"currency": currency, "amount_minor": part}
    assert book(session, found.job_id, entry(found.order, **about)) == ["part"]
    rest = {"currency": currency, "amount_minor": total - part + 10}
    assert book(session, found.job_id, entry(found.order, **rest)) == ["more"]
    assert entries(session)[1] == ("open", "more", total - part + 10, total - part, 0)


def test_books_that_differ_are_found(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order))
    session.scalars(select(staff_list.BankEntry)).one().used_minor = 7_000
    session.flush()
    assert staff_list.transfer_books(session).differences == [(found.order.code, 7_500, 7_000, "USD")]
    assert SETTINGS.bank is not None
    assert CONTEXT.at == NOON

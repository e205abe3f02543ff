"""What staff decide about entries that no rule could book."""

import pytest
from sqlalchemy import select

from domain.errors import Conflict, InvalidInput, NotFound, Refused
from domain.payments.transfers import decisions, staff_list
from domain.payments.transfers.decisions import Assignment
from domain.tables import AuditEvent, BankEntry
from tests.domain.payments.transfers.world import (
    CONTEXT,
    authority,
    awaited,
    book,
    decide,
    entries,
    entry,
    kinds,
    mails,
)


def only_id(session) -> int:
    return session.scalars(select(BankEntry.id)).one()


def test_an_entry_is_taken_for_the_money_of_an_order_after_a_look(session):
    found = awaited(session)
    book(session, found.job_id, entry(None))
    code, number = found.order.code, only_id(session)
    assert decisions.preview(session, number, code.lower(), CONTEXT) == [
        f"Order {code} over $75.00 is paid, and what it is for begins."
    ]
    assert found.order.state == "processing"
    wanted = Assignment(number, code, " They  wrote to us. ")
    assert decide(session, decisions.assign, wanted, authority(), CONTEXT) == "settled"
    assert (found.order.state, entries(session)) == ("paid", [("used", "", 7_500, 7_500, 0)])
    actions = session.execute(select(AuditEvent.action, AuditEvent.reason)).all()
    assert ("bank_entry.assign", "They wrote to us.") in [tuple(row) for row in actions]
    with pytest.raises(Conflict):
        decide(session, decisions.assign, wanted, authority(), CONTEXT)


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("70.00", ["$70.00 count for order {code}; it waits for $5.00 more."]),
        (
            "80.00",
            [
                "Order {code} over $75.00 is paid, and what it is for begins.",
                "$5.00 are left, and have to be given back.",
            ],
        ),
    ],
)
def test_the_preview_says_what_is_missing_or_left(session, amount, words):
    found = awaited(session)
    book(session, found.job_id, entry(None, amount))
    shown = decisions.preview(session, only_id(session), found.order.code, CONTEXT)
    assert shown == [text.format(code=found.order.code) for text in words]


def test_money_in_doubt_is_assigned_by_hand_and_another_currency_never(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order, doubt="currency"))
    wanted = Assignment(only_id(session), found.order.code, "The bank has exchanged it.")
    assert decide(session, decisions.assign, wanted, authority(), CONTEXT) == "settled"
    other = awaited_again(session, found)
    book(session, found.job_id, entry(other, currency="EUR"))
    last = session.scalars(select(BankEntry.id).order_by(BankEntry.id.desc()).limit(1)).one()
    with pytest.raises(InvalidInput) as refused:
        decide(session, decisions.assign, Assignment(last, other.code, "Why not"), authority(), CONTEXT)
    assert refused.value.errors == {"order": decisions.REFUSALS["currency"]}


def awaited_again(session, found):
    from tests.domain.payments.transfers.world import placed

    return placed(session, found.world, "Other Owner")


def test_orders_that_the_money_cannot_pay_are_refused_in_words(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order), entry(None, "10.00"))
    number = session.scalars(select(BankEntry.id).where(BankEntry.state == "open")).one()
    for code, text in ((found.order.code, decisions.REFUSALS["paid"]), ("NONE", "There is no order NONE.")):
        with pytest.raises(InvalidInput) as refused:
            decide(session, decisions.assign, Assignment(number, code, "Why not"), authority(), CONTEXT)
        assert refused.value.errors == {"order": text}


def test_nobody_books_money_for_an_order_of_their_own(session):
    found = awaited(session)
    book(session, found.job_id, entry(None))
    wanted = Assignment(only_id(session), found.order.code, "Mine")
    with pytest.raises(Refused, match="your own order"):
        decide(session, decisions.assign, wanted, authority(found.order.learner_id), CONTEXT)


def test_what_is_left_of_an_entry_is_given_back_and_the_rest_stays_used(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order, "80.00"))
    decide(session, decisions.note_returned, only_id(session), "Transfer 4711", authority(), CONTEXT)
    assert entries(session) == [("used", "", 8_000, 7_500, 500)]
    assert staff_list.transfer_books(session) == (1, 0, [])


def test_a_part_that_is_given_back_counts_no_more(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order, "50.00"))
    decide(session, decisions.note_returned, only_id(session), "Transfer 4711", authority(), CONTEXT)
    assert entries(session) == [("returned", "", 5_000, 0, 5_000)]
    assert kinds(session, found.order)[-1] == "part_returned"
    assert book(session, found.job_id, entry(found.order)) == ["settled"]
    assert mails(session)[-1] == "order_paid"


def test_an_entry_is_set_aside_with_a_reason_and_only_once(session):
    found = awaited(session)
    book(session, found.job_id, entry(None))
    number = only_id(session)
    with pytest.raises(InvalidInput):
        decide(session, decisions.ignore, number, " ", CONTEXT)
    decide(session, decisions.ignore, number, "Interest", CONTEXT)
    assert entries(session) == [("ignored", "", 7_500, 0, 0)]
    for work in (
        lambda: decide(session, decisions.ignore, number, "Interest", CONTEXT),
        lambda: decide(session, decisions.note_returned, number, "Transfer", authority(), CONTEXT),
    ):
        with pytest.raises(Conflict):
            work()
    with pytest.raises(NotFound):
        decide(session, decisions.ignore, 999, "Interest", CONTEXT)


def test_what_is_owed_of_an_entry_cannot_be_set_aside(session):
    found = awaited(session)
    book(session, found.job_id, entry(found.order, "80.00"))
    with pytest.raises(Conflict):
        decide(session, decisions.ignore, only_id(session), "Small", CONTEXT)

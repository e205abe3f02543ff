"""Asking for a quote: what is frozen, what is refused, and who may ask for what."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.errors import InvalidInput, NotFound, Refused
from domain.organisations import contract_changes
from domain.quotes import asking, quote_states
from domain.quotes.asking import StaffQuote, first_owner, make
from domain.tables import AuditEvent, Contract, Order, Organisation, Outbox, SeatQuote
from tests.domain.payments.transfers.world import BANK
from tests.domain.quotes.world import QUOTE_TERMS, accept_quote, ask_quote, at, build
from tests.domain.seats.test_seat_orders import ADDRESS, CONTEXT, DRAFT
from tests.domain.seats.world import recorded
from tests.support import factories
from tests.support.factories import NOON


@pytest.mark.each_database
def test_a_quote_freezes_price_address_and_what_is_printed(session):
    world = build(session)
    quote = ask_quote(session, world, values={**ADDRESS, "billing.purchase_order": " PO  7 "})
    assert (quote.number, quote.state, quote.name) == (f"Q{NOON.year}-000001", "open", "Seats: Vat")
    assert (quote.unit_minor, quote.tax_minor, quote.total_minor, quote.term_days) == (9_900, 0, 99_000, 365)
    assert (quote.billing["company_name"], quote.purchase_order) == ("Northwind", "PO 7")
    assert quote.body["valid_until"] == (NOON.date() + timedelta(days=30)).isoformat()
    [line] = quote.body["lines"]
    assert (line["name"], line["quantity"], line["unit_minor"], line["total_minor"]) == (
        "Seats: Vat",
        10,
        9_900,
        99_000,
    )
    assert session.scalars(select(Contract)).all() == []
    kinds = session.scalars(select(Outbox.kind)).all()
    assert kinds == ["mail.quote_issued"]
    event = session.scalars(select(AuditEvent).where(AuditEvent.action == "quote.ask")).one()
    assert (event.after["total_minor"], event.organisation_id) == (99_000, world.tenant.organisation_id)


def test_numbers_of_quotes_count_by_themselves(session):
    world = build(session)
    assert [ask_quote(session, world).number[-6:] for _ in range(3)] == ["000001", "000002", "000003"]


def test_the_last_day_counts_in_full_everywhere():
    until = quote_states.valid_until(datetime(2026, 3, 1, 23, 59, tzinfo=NOON.tzinfo), 30)
    assert until == datetime(2026, 4, 1, 12, tzinfo=NOON.tzinfo)
    assert quote_states.last_day(until) == date(2026, 3, 31)


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": 1_001}, "quantity"),
        ({"course": "nothing"}, "course"),
        ({"values": {**ADDRESS, "billing.company_name": ""}}, "billing.company_name"),
        ({"values": {**ADDRESS, "billing.country": "DE", "billing.vat_id": "DE123"}}, "billing.vat_id"),
        ({"values": {**ADDRESS, "billing.purchase_order": "x" * 51}}, "billing.purchase_order"),
    ],
)
def test_what_does_not_hold_is_refused_at_its_field(session, about, field):
    world = build(session)
    with pytest.raises(InvalidInput) as refusal, session.begin_nested():
        ask_quote(session, world, **about)
    assert field in refusal.value.errors
    assert session.scalars(select(SeatQuote)).all() == []


def test_ten_quotes_may_be_open_and_those_that_ended_do_not_count(session):
    world = build(session)
    for _ in range(asking.MAX_OPEN):
        ask_quote(session, world)
    with pytest.raises(Refused, match="10 quotes are open"), session.begin_nested():
        ask_quote(session, world)
    assert ask_quote(session, world, at(NOON + timedelta(days=32))).seq == 11


def test_an_organisation_that_is_not_approved_gets_none(session):
    world = build(session)
    session.get_one(Organisation, world.tenant.organisation_id).state = "information"
    with pytest.raises(Refused, match="not open"), session.begin_nested():
        ask_quote(session, world)


def test_further_seats_of_a_contract_are_quoted_at_its_price(session):
    world = build(session)
    organisation, other = world.tenant.organisation_id, build(session, "rival", "payroll")
    terms = {"seat_price": Decimal("25.00"), "is_self_service": True, "seats": 1, "seat_kind": "course"}
    contract = factories.contract(session, organisation, world.course.id, **terms)
    quote = ask_quote(session, world, course="", contract_id=contract.id)
    assert (quote.contract_id, quote.term_days, quote.total_minor) == (contract.id, None, 25_000)
    with pytest.raises(NotFound), session.begin_nested():
        ask_quote(session, other, course="", contract_id=contract.id)
    contract.is_self_service = False
    with pytest.raises(InvalidInput, match="No seats of this contract"), session.begin_nested():
        ask_quote(session, world, course="", contract_id=contract.id)


def made(session, world, **about) -> SeatQuote:
    facts = {"course": "vat", "quantity": 40, "unit": Decimal("70.00"), "term_days": 730, "values": ADDRESS, **about}
    owner = first_owner(session, "northwind")
    return recorded(session, make, owner, StaffQuote(world.owner, **facts), QUOTE_TERMS, CONTEXT)


def test_staff_quote_a_price_by_hand_also_beside_a_contract_of_theirs(session):
    world = build(session)
    recorded(session, contract_changes.create, "northwind", replace(DRAFT, seats=1), NOON)
    with pytest.raises(InvalidInput, match="Your contract was made by us"), session.begin_nested():
        ask_quote(session, world)
    quote = made(session, world)
    assert (quote.unit_minor, quote.total_minor, quote.term_days) == (7_000, 280_000, 730)
    assert (quote.learner_id, quote.staff_id) == (world.owner, world.owner)


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"course": "nothing"}, "course"),
        ({"unit": Decimal(0)}, "unitPrice"),
        ({"term_days": 0}, "termDays"),
        ({"quantity": 0}, "quantity"),
    ],
)
def test_a_quote_of_staff_is_checked_by_field(session, about, field):
    world = build(session)
    with pytest.raises(InvalidInput) as refusal, session.begin_nested():
        made(session, world, **about)
    assert list(refusal.value.errors) == [field]


def test_staff_make_none_for_an_organisation_without_an_owner(session):
    factories.organisation(session, "nobody", "Nobody")
    with pytest.raises(Refused, match="no owner"):
        first_owner(session, "nobody")
    with pytest.raises(InvalidInput, match="no approved organisation"):
        first_owner(session, "unknown")


@pytest.mark.parametrize(("bank", "is_quoted"), [(BANK, True), (None, False)])
def test_more_than_the_gateway_takes_is_quoted_where_it_can_be_transferred(session, bank, is_quoted):
    settings = replace(CONTEXT.settings, largest_payment_minor=98_999, bank=bank)
    world, context = build(session), replace(CONTEXT, settings=settings)
    if is_quoted:
        quote = ask_quote(session, world, context)
        with pytest.raises(Refused, match="can be paid at once"), session.begin_nested():
            accept_quote(session, world, quote, context)
        order = session.get_one(Order, accept_quote(session, world, quote, context, by_transfer=True).order_id)
        assert (order.total_minor, order.state) == (99_000, "processing")
    else:
        with pytest.raises(Refused, match="can be paid at once"), session.begin_nested():
            ask_quote(session, world, context)
        assert session.scalars(select(SeatQuote)).all() == []

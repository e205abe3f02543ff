"""Accepting a quote: the order has its price whatever the shop charges by now, once."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.checkout import seat_purchase
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders import events, states
from domain.orders.explanation.explain import explain
from domain.orders.locks import lock_order
from domain.quotes import lapsing, quote_views
from domain.tables import AuditEvent, Contract, Document, Order, OrderLine, Organisation, TaxRate
from tests.domain.payments.transfers import world as transfers
from tests.domain.quotes.world import QUOTE_TERMS, QuoteWorld, accept_quote, ask_quote, at, build
from tests.domain.seats.test_first_seats import buy
from tests.domain.seats.test_seat_orders import CONTEXT, settle
from tests.domain.seats.world import recorded
from tests.domain.seats.world import states as seat_states
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

SOON, LATER = at(NOON + timedelta(hours=1)), at(NOON + timedelta(days=20))
# The quote of NOON holds until noon of the day after its thirtieth.
END = (NOON + timedelta(days=31)).replace(hour=12, minute=0, second=0, microsecond=0)


def view(session, world: QuoteWorld, quote, context=CONTEXT):
    return quote_views.quote_of(session, world.tenant, quote.id, world.owner, context.at)


def end_unpaid(session, order: Order, event: str = "cancel") -> None:
    locked, settings = lock_order(session, order.learner_id, order.id), CONTEXT.settings
    states.advance(session, locked, event, SOON.at, actor=events.LEARNER, facts={}, settings=settings)


def add_rate(session, percent: str, since) -> None:
    about = {"region": "", "tax_class": "service", "label": "VAT", "starts_on": since}
    session.add(TaxRate(country="US", percent=Decimal(percent), **about))
    session.flush()


@pytest.mark.each_database
def test_the_order_has_the_price_of_the_quote_while_the_shops_has_changed(session):
    world = build(session)
    quote = ask_quote(session, world)
    world.course.list_price = Decimal("149.00")
    session.flush()
    placed = accept_quote(session, world, quote, LATER)
    order = session.get_one(Order, placed.order_id)
    assert (order.total_minor, order.quote_number, order.state) == (99_000, quote.number, "placed")
    assert order.billing == quote.billing
    line = session.scalars(select(OrderLine)).one()
    assert (line.kind, line.quantity, line.unit_minor, line.contract_id) == ("seats", 10, 9_900, quote.contract_id)
    settle(session, order)
    contract = session.get_one(Contract, line.contract_id)
    assert ((contract.ends_at - contract.starts_at).days, contract.seat_price) == (365, Decimal("99.00"))
    assert contract.join_policy == "domain"
    assert [state for _, state, _ in seat_states(session, contract.id)] == ["free"] * 10
    invoice = session.scalars(select(Document).where(Document.order_id == order.id)).one().body
    assert (invoice["quote"], invoice["lines"][0]["unit_minor"]) == (quote.number, 9_900)
    # It was settled without a payment.
    found = explain(session, order.code).differences
    assert [difference.where for difference in found] == ["payments that bought the order"]
    event = session.scalars(select(AuditEvent).where(AuditEvent.action == "quote.accept")).one()
    assert (event.subject_id, event.after["order"]) == (str(quote.id), order.code)


def test_accepting_twice_gives_one_order_also_after_the_payment(session):
    world = build(session)
    quote = ask_quote(session, world)
    first = accept_quote(session, world, quote)
    again = accept_quote(session, world, quote, LATER)
    assert (again.code, again.is_new, again.payment_id) == (first.code, False, first.payment_id)
    settle(session, session.get_one(Order, first.order_id))
    assert accept_quote(session, world, quote, LATER).code == first.code
    assert len(session.scalars(select(Order)).all()) == 1
    assert (view(session, world, quote).state, view(session, world, quote).order) == ("accepted", first.code)


def test_another_owner_learns_that_it_was_accepted_and_by_which_order(session):
    world = build(session)
    quote = ask_quote(session, world)
    placed = accept_quote(session, world, quote)
    other = factories.learner(session, "Otto Owner").id
    factories.member(session, other, world.tenant.organisation_id, role="owner")
    with pytest.raises(Refused, match=f"its order is {placed.code}"), session.begin_nested():
        accept_quote(session, world, quote, learner_id=other)


def test_a_quote_whose_order_was_not_paid_is_open_again_and_keeps_its_contract(session):
    world = build(session)
    quote = ask_quote(session, world)
    first = accept_quote(session, world, quote)
    end_unpaid(session, session.get_one(Order, first.order_id))
    assert view(session, world, quote, SOON).state == "open"
    second = accept_quote(session, world, quote, SOON, joining_gives_seat=True)
    assert (second.is_new, second.code == first.code) == (True, False)
    [contract] = session.scalars(select(Contract)).all()
    assert (contract.joining_gives_seat, contract.starts_at) == (True, SOON.at)
    assert quote.order_id == second.order_id


def test_accepting_another_quote_opens_one_again_whose_order_was_not_paid(session):
    """A person has one open order."""
    world = build(session)
    first, second = ask_quote(session, world), ask_quote(session, world)
    accept_quote(session, world, first)
    accept_quote(session, world, second)
    assert [view(session, world, quote).state for quote in (first, second)] == ["open", "accepted"]


def test_a_purchase_without_the_quote_leaves_the_terms_that_it_promises(session):
    world = build(session)
    quote = ask_quote(session, world)
    accept_quote(session, world, quote)
    other = factories.learner(session, "Otto Owner").id
    shop = (world.course, world.tenant, other)
    buy(session, shop, quantity=1, term_days=30, unit_minor=9_900)
    terms = [(contract.id, contract.term_days) for contract in session.scalars(select(Contract).order_by(Contract.id))]
    assert [days for _, days in terms] == [365, 30]
    assert terms[0][0] == quote.contract_id


@pytest.mark.parametrize(("moment", "is_taken"), [(END - timedelta(microseconds=1), True), (END, False)])
def test_it_ends_at_its_moment_and_not_before(session, moment, is_taken):
    world = build(session)
    quote = ask_quote(session, world)
    if is_taken:
        assert accept_quote(session, world, quote, at(moment)).is_new
        return
    with pytest.raises(Refused, match=r"This quote was valid until .* Ask again"), session.begin_nested():
        accept_quote(session, world, quote, at(moment))
    shown = view(session, world, quote, at(moment))
    assert (shown.state, shown.now, shown.course) == ("expired", None, "vat")


def retire(session, world) -> None:
    world.course.status = "retired"


def end_organisation(session, world) -> None:
    session.get_one(Organisation, world.tenant.organisation_id).state = "declined"


@pytest.mark.parametrize(("change", "words"), [(retire, "does not sell this course"), (end_organisation, "not open")])
def test_what_the_shop_has_no_more_is_refused_with_words_and_leaves_no_contract(session, change, words):
    world = build(session)
    quote = ask_quote(session, world)
    change(session, world)
    session.flush()
    with pytest.raises(Refused, match=words), session.begin_nested():
        accept_quote(session, world, quote)
    assert session.scalars(select(Contract)).all() == []
    assert session.scalars(select(Order)).all() == []


def test_seats_of_an_ended_contract_are_refused_and_of_a_running_one_are_added(session):
    world = build(session)
    terms = {"seat_price": Decimal("25.00"), "is_self_service": True, "seats": 0, "seat_kind": "course"}
    contract = factories.contract(session, world.tenant.organisation_id, world.course.id, **terms)
    quote = ask_quote(session, world, course="", contract_id=contract.id)
    contract.seat_price, contract.ends_at = Decimal("40.00"), NOON + timedelta(days=5)
    session.flush()
    with pytest.raises(Refused, match="contract of this quote has ended"), session.begin_nested():
        accept_quote(session, world, quote, LATER)
    order = session.get_one(Order, accept_quote(session, world, quote, SOON).order_id)
    assert order.total_minor == 25_000
    settle(session, order)
    assert (contract.seats, contract.seat_price) == (10, Decimal("40.00"))


def test_tax_is_that_of_the_day_of_supply_and_another_total_is_said_before(session):
    world = build(session)
    quote = ask_quote(session, world)
    add_rate(session, "8", (NOON + timedelta(days=10)).date())
    assert view(session, world, quote).now.total_minor == 99_000
    shown = view(session, world, quote, LATER).now
    assert (shown.total_minor, shown.tax_minor, shown.lines[0].net_minor) == (106_920, 7_920, 99_000)
    with pytest.raises(Refused, match=r"The total is .*1,069\.20.* now, not .*990\.00"), session.begin_nested():
        accept_quote(session, world, quote, LATER)
    order = session.get_one(Order, accept_quote(session, world, quote, LATER, total_minor=106_920).order_id)
    assert (order.tax_minor, order.total_minor) == (7_920, 106_920)


def test_a_price_that_contains_tax_holds_and_its_tax_changes(session):
    """Shops whose prices contain tax advertise one price everywhere."""
    world = build(session)
    add_rate(session, "5", NOON.date())
    shop = replace(SHOP, price_mode="inclusive")
    quote = ask_quote(session, world, terms=replace(QUOTE_TERMS, shop=shop))
    assert (quote.total_minor, quote.tax_minor) == (99_000, 4_714)
    session.scalars(select(TaxRate)).one().ends_on = (NOON + timedelta(days=9)).date()
    add_rate(session, "8", (NOON + timedelta(days=10)).date())
    shown = view(session, world, quote, LATER).now
    assert (shown.total_minor, shown.tax_minor) == (99_000, 7_333)
    assert accept_quote(session, world, quote, LATER).is_new


def test_the_terms_are_accepted_and_the_number_of_the_purchase_order_may_come_with_it(session):
    world = build(session)
    quote = ask_quote(session, world)
    for terms, number, field in (("", "", "terms"), ("2025-01-01", "", "terms"), (None, "x" * 51, "purchaseOrder")):
        about = {} if terms is None else {"terms": terms}
        with pytest.raises(InvalidInput) as refusal, session.begin_nested():
            accept_quote(session, world, quote, purchase_order=number, **about)
        assert list(refusal.value.errors) == [field]
    order = session.get_one(Order, accept_quote(session, world, quote, purchase_order=" PO-9 ").order_id)
    assert order.purchase_order == "PO-9"


def test_a_withdrawn_quote_is_refused_and_an_accepted_one_is_not_withdrawn(session):
    world = build(session)
    first, second = ask_quote(session, world), ask_quote(session, world)
    recorded(session, lapsing.withdraw, world.tenant, first.id, NOON)
    with pytest.raises(Refused, match="was withdrawn"), session.begin_nested():
        accept_quote(session, world, first)
    with pytest.raises(Refused, match="Only a quote that is open"), session.begin_nested():
        recorded(session, lapsing.withdraw, world.tenant, first.id, NOON)
    accept_quote(session, world, second)
    with pytest.raises(Refused, match="Only a quote that is open"), session.begin_nested():
        recorded(session, lapsing.withdraw, None, second.id, NOON)


def test_a_quote_of_others_is_not_found_by_anything(session):
    own, other = build(session), build(session, "rival", "payroll")
    quote = ask_quote(session, other)
    for number in (quote.id, 999_999):
        with pytest.raises(NotFound, match=r"^There is no such quote\.$"), session.begin_nested():
            recorded(session, lapsing.withdraw, own.tenant, number, NOON)
        with pytest.raises(NotFound, match=r"^There is no such quote\.$"):
            quote_views.quote_of(session, own.tenant, number, own.owner, NOON)
        with pytest.raises(NotFound, match=r"^There is no such quote\.$"), session.begin_nested():
            accept_quote(session, own, quote, quote_id=number)
    assert quote_views.printed_quote(session, own.tenant, quote.number) is None
    assert quote_views.printed_quote(session, other.tenant, quote.number) is quote
    assert quote_views.printed_quote(session, None, quote.number) is quote


@pytest.mark.each_database
def test_a_quote_is_paid_by_bank_transfer_where_the_shop_has_an_account(session):
    world = build(session)
    quote = ask_quote(session, world)
    with pytest.raises(InvalidInput) as refusal:
        accept_quote(session, world, quote, by_transfer=True)
    assert refusal.value.errors == {"payment": seat_purchase.NO_TRANSFER}
    placed = accept_quote(session, world, quote, transfers.CONTEXT, by_transfer=True)
    order = session.get_one(Order, placed.order_id)
    assert (order.state, placed.payment_id, view(session, world, quote).state) == ("processing", None, "accepted")
    assert transfers.book(session, transfers.job(session), transfers.entry(order, "990.00")) == ["settled"]
    invoice = session.scalars(select(Document)).one()
    assert (order.state, order.total_minor, invoice.body["quote"]) == ("paid", 99_000, quote.number)

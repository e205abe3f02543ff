"""An organisation without a contract buys seats of a course: the contract begins when they are paid."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.checkout import first_seats
from domain.checkout.first_seats import FirstSeats, are_sold, courses_named, place_first_seats
from domain.errors import InvalidInput, Refused
from domain.organisations import contract_changes
from domain.organisations.joining.offers import JoiningPerson, offers
from domain.permissions import Tenant
from domain.seats import orders as seat_orders
from domain.tables import AuditEvent, Contract, Order, OrderLine, Organisation, Product
from tests.domain.seats.test_seat_orders import ADDRESS, CONTEXT, TERMS, settle
from tests.domain.seats.world import recorded, states
from tests.support import factories
from tests.support.factories import NOON

DAYS = 365
LATER = replace(CONTEXT, at=NOON + timedelta(hours=1))


@pytest.fixture
def shop(session):
    """A course for 99.00, an organisation without a contract, and its owner."""
    category = factories.category(session).id
    course = factories.course(session, category, "vat", list_price=Decimal("99.00"), sale_price=None)
    organisation = factories.organisation(session).id
    owner = factories.learner(session, "Olga Owner").id
    factories.member(session, owner, organisation, role="owner")
    session.flush()
    return course, Tenant(organisation), owner


def purchase(owner: int, **about) -> FirstSeats:
    facts = {"key": "k1", "contract_id": 0, "quantity": 3, "unit_minor": 9_900, "values": ADDRESS, "terms": TERMS.date}
    course = about.pop("course", "vat")
    choices = {"shows_names": about.pop("shows_names", True), "joining_gives_seat": False}
    choices["term_days"] = about.pop("term_days", DAYS)
    return FirstSeats(first_seats.SeatForm(owner, **{**facts, **about}), course, **choices)


def buy(session, shop, context=CONTEXT, **about):
    _, tenant, owner = shop
    return recorded(session, place_first_seats, tenant, purchase(owner, **about), TERMS, context)


def contracts(session) -> list[Contract]:
    return list(session.scalars(select(Contract).order_by(Contract.id)))


@pytest.mark.each_database
def test_the_contract_opens_nothing_before_the_payment_and_lasts_its_term_from_then_on(session, shop):
    placed = buy(session, shop)
    [contract] = contracts(session)
    assert (contract.starts_at, contract.ends_at, contract.seats, contract.shows_names) == (NOON, NOON, 0, True)
    order = session.get_one(Order, placed.order_id)
    assert (order.organisation_id, order.total_minor) == (shop[1].organisation_id, 29_700)
    assert session.scalars(select(OrderLine.name)).one() == "Seats: Vat"
    settle(session, order)
    # Each event of an order is a little later than the one before.
    assert contract.starts_at - NOON < timedelta(seconds=1)
    assert (contract.ends_at - contract.starts_at, contract.seats) == (timedelta(days=DAYS), 3)
    assert [state for _, state, _ in states(session, contract.id)] == ["free"] * 3


def test_the_same_form_is_one_order_also_after_the_payment(session, shop):
    placed = buy(session, shop)
    assert buy(session, shop).code == placed.code
    settle(session, session.get_one(Order, placed.order_id))
    again = buy(session, shop)
    assert (again.code, again.is_new, len(contracts(session))) == (placed.code, False, 1)


def changes_of_terms(session) -> list[tuple[dict | None, dict | None]]:
    query = select(AuditEvent).where(AuditEvent.action == "contract.buy").order_by(AuditEvent.number)
    return [(row.before, row.after) for row in session.scalars(query)]


def test_a_repeated_form_leaves_the_terms_of_the_newest_attempt(session, shop):
    first = buy(session, shop)
    second = buy(session, shop, LATER, key="k2", quantity=4, shows_names=False)
    assert buy(session, shop, LATER).code == first.code
    [contract] = contracts(session)
    assert (contract.shows_names, contract.version) == (False, 2)
    assert changes_of_terms(session)[1:] == [({"shows_names": True}, {"shows_names": False})]
    settle(session, session.get_one(Order, second.order_id))
    assert (contract.shows_names, contract.seats) == (False, 4)


def test_terms_that_change_without_a_new_order_are_recorded(session, shop):
    first = buy(session, shop)
    again = buy(session, shop, key="k2", term_days=30)
    assert (again.code, again.is_new) == (first.code, False)
    assert changes_of_terms(session)[1:] == [({"term_days": DAYS}, {"term_days": 30})]


def test_another_form_with_the_same_terms_leaves_the_contract_as_it_is(session, shop):
    first = buy(session, shop)
    again = buy(session, shop, LATER, key="k2")
    assert (again.code, again.is_new) == (first.code, False)
    more = buy(session, shop, LATER, key="k3", quantity=4)
    [contract] = contracts(session)
    assert (more.is_new, contract.starts_at, contract.ends_at, contract.version) == (True, NOON, NOON, 1)
    assert len(changes_of_terms(session)) == 1


def test_another_attempt_takes_the_unpaid_contract_up_at_the_price_of_now(session, shop):
    buy(session, shop)
    session.get_one(Product, shop[0].id).list_price = Decimal("80.00")
    session.flush()
    buy(session, shop, LATER, key="k2", unit_minor=8_000)
    [contract] = contracts(session)
    assert (contract.seat_price, contract.starts_at, contract.version) == (Decimal("80.00"), LATER.at, 2)
    assert changes_of_terms(session)[1:] == [({"seat_price": "99"}, {"seat_price": "80"})]


def test_staff_change_an_unpaid_contract_once_it_is_paid(session, shop):
    order = session.get_one(Order, buy(session, shop).order_id)
    [contract] = contracts(session)
    staff_contract = contract_changes.contract_of(session, contract.id)
    later = replace(staff_contract.terms, ends_at=NOON + timedelta(days=900), seats=0)
    with pytest.raises(Refused, match="begins when the organisation pays"), session.begin_nested():
        contract_changes.change(session, contract.id, contract.version, later, NOON)
    settle(session, order)
    assert not contract_changes.contract_of(session, contract.id).is_unpaid
    recorded(session, contract_changes.change, contract.id, contract.version, replace(later, seats=3), NOON)
    # Further seats, for which another order was placed before, leave the term that staff have set.
    seat_orders.give(session, session.scalars(select(OrderLine)).one(), NOON)
    assert (contract.ends_at, contract.seats) == (NOON + timedelta(days=900), 6)


def test_seats_of_a_course_that_has_a_contract_are_bought_under_it(session, shop):
    settle(session, session.get_one(Order, buy(session, shop).order_id))
    with pytest.raises(InvalidInput, match="Buy more seats under it"), session.begin_nested():
        buy(session, shop, key="k2")
    factories.course(session, factories.category(session, "law", "Law").id, "gdpr", list_price=Decimal("99.00"))
    buy(session, shop, key="k3", course="gdpr")
    assert len(contracts(session)) == 2


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"course": "nothing"}, "course"),
        ({"quantity": 0}, "quantity"),
        ({"unit_minor": 9_800}, "contract"),
        ({"terms": "2025-01-01"}, "terms"),
        ({"values": {**ADDRESS, "billing.city": ""}}, "billing.city"),
    ],
)
def test_what_does_not_hold_is_refused_at_its_field_and_leaves_no_contract(session, shop, about, field):
    with pytest.raises(InvalidInput) as refusal, session.begin_nested():
        buy(session, shop, **about)
    assert list(refusal.value.errors) == [field]
    assert session.scalar(select(func.count(Order.id))) == 0
    assert contracts(session) == []


def test_none_is_sold_beside_a_contract_that_staff_made_nor_where_the_shop_sells_none(session, shop):
    _, tenant, _ = shop
    assert not are_sold(session, tenant, 0, NOON)
    assert are_sold(session, tenant, DAYS, NOON)
    factories.contract(session, tenant.organisation_id)
    assert not are_sold(session, tenant, DAYS, NOON)
    with pytest.raises(InvalidInput, match="Your contract was made by us"), session.begin_nested():
        buy(session, shop)


def test_courses_are_found_by_a_part_of_their_name_unless_they_are_free_or_drafts(session, shop):
    category = shop[0].category_id
    factories.course(session, category, "vat-free", list_price=Decimal(0), sale_price=None)
    factories.course(session, category, "vat-draft", status="draft")
    assert [row.slug for row in courses_named(session, "va", NOON)] == ["vat"]


def test_whoever_has_an_address_at_an_approved_domain_may_join_once_the_seats_are_paid(session, shop):
    """And by no other."""
    _, tenant, _ = shop
    session.get_one(Organisation, tenant.organisation_id).domains = ["lakeside.example"]
    placed = buy(session, shop)
    newcomers = {
        address: JoiningPerson(factories.learner(session, address).id, f"nora@{address}", is_verified=True)
        for address in ("lakeside.example", "elsewhere.example")
    }

    def offered() -> list[str]:
        return [address for address, person in newcomers.items() if offers(session, person, LATER.at).offers]

    assert offered() == []
    settle(session, session.get_one(Order, placed.order_id))
    assert offered() == ["lakeside.example"]

"""Seats that an organisation buys: a paid line makes them, a refund takes free ones, on both databases."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.checkout import seat_purchase
from domain.checkout.placement import Placed
from domain.checkout.purchase import PurchaseTerms
from domain.checkout.seat_purchase import SeatForm
from domain.documents.issuer import Issuer
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders import events, states
from domain.orders.explanation.explain import explain
from domain.orders.locks import lock_order, ref_of
from domain.orders.refunds.by_staff import StaffRefund, refund_order
from domain.orders.settings import Context, OrderSettings
from domain.organisations import contract_changes
from domain.organisations.contract_changes import ContractDraft
from domain.permissions import Tenant
from domain.seats.assign import assign
from domain.tables import Contract, Order, OrderLine, Seat
from tests.domain.seats.world import DAY, build
from tests.domain.seats.world import states as seat_states
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

TERMS = PurchaseTerms(SHOP, "2026-01-01")
CONTEXT = Context(NOON, OrderSettings(issuer=Issuer("Meridian Learning")))
ADDRESS = {
    "buyer": "business",
    "billing.company_name": "Northwind",
    "billing.street_address": "1 Main Street",
    "billing.city": "Austin",
    "billing.country_area": "TX",
    "billing.postal_code": "78701",
    "billing.country": "US",
}
DRAFT = ContractDraft(NOON - DAY, None, 1, "course", Decimal("25.00"), "percent", Decimal(10), {"vat": None})
SELLS = {"seat_price": Decimal("25.00"), "is_self_service": True}


def form(world, buyer: int, **about) -> SeatForm:
    facts = {"key": "k1", "contract_id": world.contract, "quantity": 3, "unit_minor": 2_500, "values": ADDRESS}
    return SeatForm(buyer, **{**facts, "terms": TERMS.date, **about})


def bought(session, world, **about) -> Order:
    buyer = factories.learner(session, "Olga Owner").id
    order = form(world, buyer, **about)
    placed = seat_purchase.place_seats(session, Tenant(world.organisation), order, TERMS, CONTEXT)
    assert isinstance(placed, Placed)
    return session.get_one(Order, placed.order_id)


def settle(session, order: Order) -> None:
    locked = lock_order(session, order.learner_id, order.id)
    states.advance(session, locked, "settle", NOON, actor=events.GATEWAY, facts={}, settings=CONTEXT.settings)


def test_the_state_of_the_bill_follows_from_its_zip_code(session):
    world = build(session, seats=1, **SELLS)
    order = bought(session, world, values={**ADDRESS, "billing.country_area": ""})
    assert order.billing["country_area"] == "TX"


@pytest.mark.each_database
def test_a_paid_order_adds_its_seats_and_the_same_form_is_one_order(session):
    world = build(session, seats=1, **SELLS)
    order = bought(session, world)
    again = seat_purchase.place_seats(
        session, Tenant(world.organisation), form(world, order.learner_id), TERMS, CONTEXT
    )
    assert (again.code, again.is_new) == (order.code, False)
    assert (order.organisation_id, order.total_minor, order.state) == (world.organisation, 7_500, "placed")
    line = session.scalars(select(OrderLine)).one()
    assert (line.kind, line.contract_id, line.quantity, line.product_id) == ("seats", world.contract, 3, None)
    assert len(seat_states(session, world.contract)) == 1
    settle(session, order)
    assert [state for _, state, _ in seat_states(session, world.contract)] == ["free"] * 4
    assert session.get_one(Contract, world.contract).seats == 4
    # It was settled without a payment.
    found = explain(session, order.code).differences
    assert [difference.where for difference in found] == ["payments that bought the order"]


@pytest.mark.each_database
def test_a_refund_takes_free_seats_and_never_more(session):
    world = build(session, seats=0, **SELLS)
    order = bought(session, world)
    settle(session, order)
    for member in world.members[:2]:
        assign(session, world.contract, member, world.courses[:1], NOON)
    ref = ref_of(session, order.code)
    with pytest.raises(Refused, match="Only 1 of the seats"), session.begin_nested():
        refund_order(session, ref, StaffRefund("staff:1", "Too many", {1: 2}, is_manual=True), CONTEXT)
    refund_order(session, ref, StaffRefund("staff:1", "Too many", {1: 1}, is_manual=True), CONTEXT)
    assert [state for _, state, _ in seat_states(session, world.contract)] == ["active", "active", "removed"]
    assert session.get_one(Contract, world.contract).seats == 2


def test_a_lost_payment_takes_all_seats_of_its_line(session):
    world = build(session, seats=1, **SELLS)
    order = bought(session, world)
    settle(session, order)
    for member in world.members:
        assign(session, world.contract, member, world.courses[:1], NOON)
    locked = lock_order(session, order.learner_id, order.id)
    states.advance(session, locked, "dispute_lost", NOON, actor=events.GATEWAY, facts={}, settings=CONTEXT.settings)
    assert [state for _, state, _ in seat_states(session, world.contract)] == ["active", *["removed"] * 3]
    assert session.get_one(Contract, world.contract).seats == 1
    assert {seat.order_line_id for seat in session.scalars(select(Seat).where(Seat.state == "active"))} == {None}


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": 1_001}, "quantity"),
        ({"unit_minor": 2_400}, "contract"),
        ({"terms": "2025-01-01"}, "terms"),
        ({"values": {**ADDRESS, "billing.postal_code": ""}}, "billing.postal_code"),
    ],
)
def test_what_does_not_fit_the_form_is_refused_at_its_field(session, about, field):
    world = build(session, seats=1, **SELLS)
    with pytest.raises(InvalidInput) as refusal:
        bought(session, world, **about)
    assert list(refusal.value.errors) == [field]
    assert session.scalars(select(Order)).all() == []


def test_a_contract_that_sells_none_and_one_of_others_are_refused(session):
    world = build(session, seats=1, seat_price=Decimal("25.00"))
    with pytest.raises(InvalidInput, match="No seats of this contract are sold"):
        bought(session, world)
    order = form(world, world.members[0])
    with pytest.raises(NotFound):
        seat_purchase.place_seats(session, Tenant(world.organisation + 1), order, TERMS, CONTEXT)


def test_a_form_of_staff_that_does_not_know_the_bought_seats_is_refused(session):
    world = build(session, seats=1, **SELLS)
    before = session.get_one(Contract, world.contract).version
    settle(session, bought(session, world))
    with pytest.raises(Refused, match="Somebody has changed this contract"):
        contract_changes.change(session, world.contract, before, replace(DRAFT, seats=1), NOON)
    assert len(seat_states(session, world.contract)) == 4

"""Contracts that staff make and change, with their seats."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.errors import InvalidInput, Refused
from domain.organisations import contract_changes
from domain.organisations.contract_changes import ContractDraft
from domain.seats.assign import assign
from domain.tables import AuditEvent, Contract, Seat
from tests.domain.seats.world import DAY, build, has_access, recorded
from tests.support.factories import NOON

TERMS = ContractDraft(
    NOON - DAY, NOON + 100 * DAY, 3, "course", Decimal("25.00"), "percent", Decimal(10), {"vat": Decimal("9.90")}
)


@pytest.mark.each_database
def test_a_contract_is_made_with_its_seats_products_and_event(session):
    build(session, seats=None)
    contract_id = recorded(session, contract_changes.create, "northwind", TERMS, NOON, "As agreed")
    contract = session.get_one(Contract, contract_id)
    assert (contract.seats, contract.seat_price, contract.kind) == (3, Decimal("25.000"), "percent")
    assert len(session.scalars(select(Seat).where(Seat.contract_id == contract_id)).all()) == 3
    assert contract_changes.products_of(session, contract_id) == [("vat", Decimal("9.900"))]
    event = session.scalars(select(AuditEvent)).one()
    assert (event.action, event.reason, event.organisation_id) == (
        "contract.create",
        "As agreed",
        contract.organisation_id,
    )


def test_a_later_end_extends_access_and_a_lower_number_removes_free_seats(session):
    world = build(session, seats=2)
    ada = world.members[0]
    assign(session, world.contract, ada, world.courses[:1], NOON)
    later = replace(TERMS, ends_at=NOON + 400 * DAY, seats=1, products={"vat": None, "payroll": None})
    recorded(session, contract_changes.change, world.contract, 1, later, NOON)
    assert has_access(session, ada, world.courses[0], NOON + 413 * DAY)
    assert [seat.state for seat in session.scalars(select(Seat).order_by(Seat.number))] == ["active", "removed"]
    with pytest.raises(Refused, match="Somebody has changed this contract"):
        recorded(session, contract_changes.change, world.contract, 1, later, NOON)
    with pytest.raises(InvalidInput, match="whom a seat is for"):
        recorded(session, contract_changes.change, world.contract, 2, replace(later, seat_kind="person"), NOON)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"ends_at": NOON - 2 * DAY}, "endsOn"),
        ({"seats": -1}, "seats"),
        ({"start_days": 0}, "startDays"),
        ({"value": Decimal(101)}, "value"),
        ({"is_self_service": True, "seat_price": None}, "isSelfService"),
        ({"products": {"nothing": None}}, "products"),
        ({"products": {}}, "products"),
    ],
)
def test_terms_that_make_no_sense_are_refused_at_their_field(session, changes, field):
    build(session, seats=None)
    with pytest.raises(InvalidInput) as refusal:
        recorded(session, contract_changes.create, "northwind", replace(TERMS, **changes), NOON)
    assert list(refusal.value.errors) == [field]


@pytest.mark.parametrize(("policy", "code"), [("invitation", None), ("code", "ABCDEFGHJKMN")])
def test_by_invitation_alone_a_join_code_opens_nothing_any_more(session, policy, code):
    world = build(session)
    contract = session.get_one(Contract, world.contract)
    contract.join_code, contract.join_policy = "ABCDEFGHJKMN", "code"
    recorded(session, contract_changes.change, world.contract, 1, replace(TERMS, join_policy=policy), NOON)
    assert contract.join_code == code

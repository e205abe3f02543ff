"""People who join by code or domain get a seat where their contract says so, or wait for one."""

import pytest
from sqlalchemy import select

from domain.organisations.joining import accepting, codes
from domain.organisations.joining import offers as joining_offers
from domain.organisations.joining.accepting import Joiner
from domain.organisations.joining.offers import JoiningPerson
from domain.seats.joining import give_seat
from domain.tables import Contract, ContractProduct, SeatRequest
from tests.domain.seats.world import DAY, build, has_access, recorded, states
from tests.support import factories
from tests.support.factories import NOON


def of_one_course(session, **about):
    """A contract that names the first course alone, and gives seats."""
    world = build(session, joining_gives_seat=True, **about)
    row = session.get_one(ContractProduct, (world.contract, world.courses[1]))
    session.delete(row)
    session.flush()
    return world


@pytest.mark.each_database
def test_whoever_joins_by_code_has_the_course_that_the_card_named(session):
    world = of_one_course(session, seats=2)
    code = codes.rotate(session, session.get_one(Contract, world.contract))
    newcomer = factories.learner(session, "Nora New", email="nora@elsewhere.example").id
    [offer] = joining_offers.offers(session, JoiningPerson(newcomer, "", is_verified=False), NOON, code=code).offers
    assert offer.courses == ("Vat",)
    for _ in range(2):
        recorded(session, accepting.join_by_code, Joiner(newcomer, NOON), code)
    assert [row[1:] for row in states(session, world.contract)] == [("active", newcomer), ("free", None)]
    assert has_access(session, newcomer, world.courses[0])


def test_without_a_free_seat_they_wait_and_get_the_next(session):
    world = of_one_course(session, seats=1)
    for member in world.members[:2]:
        give_seat(session, world.contract, member, NOON)
    requests = session.scalars(select(SeatRequest)).all()
    assert [(row.learner_id, row.product_id, row.state) for row in requests] == [
        (world.members[1], world.courses[0], "waiting")
    ]


def test_a_seat_for_a_person_opens_the_named_courses(session):
    world = build(session, seats=2, seat_kind="person", joining_gives_seat=True)
    give_seat(session, world.contract, world.members[0], NOON)
    assert [has_access(session, world.members[0], course) for course in world.courses] == [True, True]


def test_a_contract_that_gives_none_gives_none(session):
    world = build(session, seats=2, ends_at=NOON + 9 * DAY)
    give_seat(session, world.contract, world.members[0], NOON)
    assert {row[1] for row in states(session, world.contract)} == {"free"}

"""Seats set aside for invitations: nobody else's while the invitation is open, and back once when it ends."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.database.database import Database
from domain.errors import Refused
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.organisations.joining import closing
from domain.seats import requests, seat_rows
from domain.seats.assign import assign
from domain.seats.invitations import release_reserved, reserve, take_reserved
from domain.seats.seat_rows import Cause, NoFreeSeat
from domain.tables import Invitation, Seat
from tests.domain.seats.world import DAY, World, build, events, has_access, states
from tests.support import factories
from tests.support.factories import NOON

# When invitations of this file are too old.
LATER = NOON + 14 * DAY


def invite(session, world, *product_ids: int, email: str = "new@example.test") -> int:
    """The id of an invitation for which seats are set aside."""
    row = Invitation(
        organisation_id=world.organisation,
        contract_id=world.contract,
        email_key=email,
        product_ids=list(product_ids),
        sent_at=NOON,
        expires_at=NOON + 14 * DAY,
    )
    session.add(row)
    session.flush()
    reserve(session, world.contract, row.id, product_ids, NOON)
    return row.id


def test_a_seat_is_set_aside_for_an_invitation_and_taken_when_it_is_accepted(session):
    world = build(session, seats=1)
    invitation = invite(session, world, world.courses[0])
    with pytest.raises(NoFreeSeat):
        assign(session, world.contract, world.members[0], world.courses[:1], NOON)
    [seat] = take_reserved(session, invitation, world.members[1], NOON + DAY)
    assert (seat.state, seat.learner_id, seat.assigned_at) == ("active", world.members[1], NOON + DAY)
    assert has_access(session, world.members[1], world.courses[0])
    assert take_reserved(session, invitation, world.members[1], NOON + DAY) == []


def test_a_seat_of_a_declined_invitation_is_free_again(session):
    world = build(session, seats=1)
    invitation = invite(session, world, world.courses[0])
    release_reserved(session, invitation, NOON)
    release_reserved(session, invitation, NOON)
    assert states(session, world.contract) == [(1, "free", None)]
    assert events(session) == [("reserved", None), ("returned", None)]


def test_an_accepted_invitation_to_an_owned_course_frees_its_seat(session):
    world = build(session, seats=1)
    invitation = invite(session, world, world.courses[0])
    grants.grant(session, world.members[0], world.courses[:1], GrantSource("order", 1), NOON)
    assert take_reserved(session, invitation, world.members[0], NOON) == []
    assert states(session, world.contract) == [(1, "free", None)]


def test_a_seat_that_comes_back_goes_to_the_member_who_waits_for_it(session):
    world = build(session, seats=2)
    waiting, other, owner = world.members
    first = invite(session, world, world.courses[0])
    second = invite(session, world, world.courses[0], email="owner@example.test")
    grants.grant(session, owner, world.courses[:1], GrantSource("order", 1), NOON)
    for member in (waiting, other):
        assert not requests.ask(session, member, world.courses[0], NOON).is_granted
    release_reserved(session, first, NOON)
    assert has_access(session, waiting, world.courses[0])
    take_reserved(session, second, owner, NOON)
    assert states(session, world.contract) == [(1, "active", waiting), (2, "active", other)]


ENDINGS = 6


@pytest.fixture
def patient(database: Database) -> Database:
    """The test's database with connections for many threads that wait for one another."""
    return Database(database.url, pool_size=ENDINGS, deadline_s=60, busy_ms=60_000)


@pytest.fixture
def world(database: Database) -> World:
    with database.write_session() as session:
        world = build(session, seats=1)
        invite(session, world, world.courses[0])
        requests.ask(session, world.members[0], world.courses[0], NOON)
        return world


def at_once(*ends) -> None:
    gate = Barrier(len(ends))

    def run(end) -> None:
        gate.wait()
        with suppress(Refused):
            end()

    with ThreadPoolExecutor(len(ends)) as pool:
        list(pool.map(run, ends))


@pytest.mark.each_database
def test_an_invitation_that_lapses_and_is_cancelled_at_once_gives_its_seat_back_once(patient, world):
    manager = factories.actor(1, "manager", area="organisation", organisation_id=world.organisation)
    with patient.read_session() as session:
        number = session.scalars(select(Invitation.id)).one()
    lapse = [lambda: patient.write_sync(closing.expire_due, LATER)] * (ENDINGS // 2)
    cancel = [lambda: patient.write_as_sync(manager, closing.cancel, manager.tenant, number, LATER)] * (ENDINGS // 2)
    at_once(*lapse, *cancel)
    with patient.read_session() as session:
        assert events(session) == [("reserved", None), ("returned", None), ("assigned", world.members[0])]
        assert states(session, world.contract) == [(1, "active", world.members[0])]
    patient.engine.dispose()


@pytest.mark.each_database
def test_without_the_locks_a_seat_comes_back_more_than_once(patient, world):
    """The negative control: all read the seat that is set aside before one of them gives it back."""
    gate = Barrier(2)

    def write(session, seat_id: int) -> None:
        seat = session.get_one(Seat, seat_id)
        seat_rows.empty(seat)
        seat_rows.add_event(session, seat, "returned", Cause(LATER))

    def give_back() -> None:
        with patient.read_session() as session:
            seat_id = session.scalars(select(Seat.id).where(Seat.state == "reserved")).one()
        gate.wait()
        patient.write_sync(write, seat_id)

    at_once(give_back, give_back)
    with patient.read_session() as session:
        assert events(session) == [("reserved", None), ("returned", None), ("returned", None)]
    patient.engine.dispose()

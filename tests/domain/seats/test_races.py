"""100 members at once for the last seat, and for the last five: so many have one, and no seat has two holders."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.learning import grants
from domain.seats.assign import assign
from domain.seats.seat_rows import NoFreeSeat
from domain.tables import EnrolmentGrant, Seat
from tests.domain.seats.world import World, build, states
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

MEMBERS = 100
# More than there are seats.
FEW = 8


@pytest.fixture
def patient(database: Database) -> Database:
    """The test's database with connections for many threads that wait for one another."""
    return Database(database.url, pool_size=MEMBERS, deadline_s=60, busy_ms=60_000)


def build_with(database: Database, seats: int) -> World:
    with database.write_session() as session:
        return build(session, seats=seats, members=MEMBERS)


def at_once(take: Callable[[int], bool], members: Sequence[int]) -> int:
    """How many of the members got a seat."""
    with ThreadPoolExecutor(len(members)) as pool:
        return sum(pool.map(take, members))


@pytest.mark.parametrize("seats", [1, 5])
def test_of_100_as_many_as_there_are_seats_get_one(patient, seats):
    world = build_with(patient, seats)
    gate = Barrier(MEMBERS)

    def take(member: int) -> bool:
        gate.wait()
        try:
            patient.write_sync(assign, world.contract, member, world.courses[:1], NOON)
        except NoFreeSeat:
            return False
        return True

    assert at_once(take, world.members) == seats
    with patient.read_session() as session:
        holders = [holder for _, state, holder in states(session, world.contract) if state == "active"]
        assert len(set(holders)) == seats
        assert session.scalars(select(func.count(EnrolmentGrant.id))).one() == seats
    patient.engine.dispose()


def test_without_the_lock_and_the_condition_a_seat_has_several_holders(patient):
    """The negative control: all read the free seats before one of them writes."""
    world = build_with(patient, 5)
    gate = Barrier(FEW)

    def write(session: Session, seat_id: int, member: int) -> None:
        session.execute(update(Seat).where(Seat.id == seat_id).values(state="active", learner_id=member))
        grants.grant(session, member, world.courses[:1], grants.GrantSource("seat", seat_id), NOON)

    def take(member: int) -> bool:
        with patient.read_session() as session:
            query = select(Seat.id).where(Seat.contract_id == world.contract, Seat.state == "free")
            seat_id = session.scalars(query.order_by(Seat.number)).first()
        gate.wait()
        assert seat_id is not None
        patient.write_sync(write, seat_id, member)
        return True

    assert at_once(take, world.members[:FEW]) == FEW
    with patient.read_session() as session:
        assert session.scalars(select(func.count(EnrolmentGrant.id))).one() == FEW
    patient.engine.dispose()

"""60 learners in 4 processes reserve a coupon with 20 uses, on both databases, and 200 one with 50 in the nightly run;
without the guards too many succeed."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import select, update

from domain.database.database import Database
from domain.reservations.carts import release
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from domain.tables import Coupon, Learner, Reservation
from tests.domain.reservations import races
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

LEARNERS, USES = 60, 20


@pytest.fixture
def learners(request: pytest.FixtureRequest, database: Database) -> list[int]:
    number, uses = getattr(request, "param", (LEARNERS, USES))
    with database.write_session() as session:
        factories.coupon(session, "RACE", total_limit=uses)
        facts = {"issuer": "https://id.example", "name": "", "email": "", "created_at": NOON}
        session.add_all(Learner(subject=f"{index}", student_number=f"s-{index}", **facts) for index in range(number))
        session.flush()
        ids = sorted(session.scalars(select(Learner.id)))
    assert ids == list(range(ids[0], ids[0] + number))
    return ids


def all_at_once(take, database: Database, numbers: range) -> int:
    """How many reservations succeed without guards when every process reads before any of them writes."""
    everybody = Barrier(len(numbers))
    with ThreadPoolExecutor(len(numbers)) as threads:
        return sum(threads.map(lambda number: take(database, number, everybody.wait), numbers))


def held(database: Database) -> list[int]:
    with database.read_session() as session:
        return sorted(session.scalars(select(Reservation.learner_id)))


def counter(database: Database) -> int:
    with database.read_session() as session:
        return session.scalars(select(Coupon.uses)).one()


def give_back(database: Database, learners: list[int]) -> None:
    with database.write_session() as session:
        coupon = session.scalars(select(Coupon.id)).one()
        for learner in learners:
            release(session, Resource("coupon", coupon), CartOwner(learner, races.PRODUCT))


def run_out(database: Database, learners: list[int]) -> None:
    with database.write_session() as session:
        statement = update(Reservation).where(Reservation.learner_id.in_(learners))
        session.execute(statement.values(expires_at=races.AT))


@pytest.mark.parametrize(
    ("learners", "uses"),
    [((LEARNERS, USES), USES), pytest.param((200, 50), 50, marks=pytest.mark.soak)],
    indirect=["learners"],
)
def test_exactly_as_many_reservations_succeed_as_there_are_uses(database, learners, racers, uses):
    assert racers.run(database, "guarded", learners) == uses
    first = held(database)
    assert (len(first), len(set(first)), counter(database)) == (uses, uses, uses)
    others = [learner for learner in learners if learner not in first]
    assert racers.run(database, "guarded", others) == 0
    given = uses // 3
    give_back(database, first[:given])
    assert racers.run(database, "guarded", others) == given
    assert (len(held(database)), counter(database)) == (uses, uses)
    run_out(database, first[given:])
    rest = [learner for learner in others if learner not in held(database)]
    assert racers.run(database, "guarded", rest) == uses - given
    assert (len(held(database)), counter(database)) == (uses, uses)


def test_without_the_guards_too_many_reservations_succeed(database, learners):
    with database.write_session() as session:
        session.execute(update(Coupon).values(total_limit=2))
    assert all_at_once(races.unguarded, database, learners[:4]) == len(held(database)) == 4


@pytest.fixture
def once_each(database, learners) -> Database:
    """A coupon that each learner may use once, with a use for every learner."""
    with database.write_session() as session:
        session.execute(update(Coupon).values(total_limit=None, learner_limit=1))
    return database


def test_a_learner_with_many_tabs_stays_within_the_limit(once_each, racers):
    assert racers.run(once_each, "tabs", list(range(1, 25))) == 1
    assert (len(held(once_each)), counter(once_each)) == (1, 1)


def test_without_slots_many_tabs_exceed_the_limit(once_each):
    assert all_at_once(races.loose_tabs, once_each, range(1, 5)) == 4

"""200 learners from 4 processes want a coupon with 50 uses, on both databases; without the guards too many get it."""

import subprocess
import sys

import pytest
from sqlalchemy import select, update

from domain import coupons
from domain.coupons import Place
from domain.db import Database
from domain.tables import Coupon, CouponUse, Learner
from host.settings import ROOT
from tests import factories
from tests.domain import racing
from tests.factories import NOON

LEARNERS, USES, PROCESSES = 200, 50, 4


@pytest.fixture
def learners(database: Database) -> list[int]:
    with database.session() as session:
        factories.coupon(session, "RACE", total_limit=USES)
        facts = {"issuer": "https://id.example", "name": "", "email": "", "roles": [], "created_at": NOON}
        session.add_all(Learner(subject=f"{one}", student_number=f"s-{one}", **facts) for one in range(LEARNERS))
        session.flush()
        found = sorted(session.scalars(select(Learner.id)))
    assert found == list(range(found[0], found[0] + LEARNERS))
    return found


class Race:
    """The processes of one race."""

    def __init__(self, database: Database, guard: str = "guarded"):
        url = database.url.render_as_string(hide_password=False)
        command = [sys.executable, "-m", "tests.domain.racing", url, guard]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._runners = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(PROCESSES)]

    def __enter__(self) -> "Race":
        for runner in self._runners:
            assert runner.stdout.readline() == "ready\n"
        return self

    def run(self, learners: list[int]) -> int:
        """How many of them were told that they hold a use."""
        for number, runner in enumerate(self._runners):
            runner.stdin.write(f"{learners[number::PROCESSES]}\n")
            runner.stdin.flush()
        return sum(int(runner.stdout.readline()) for runner in self._runners)

    def __exit__(self, *_about: object) -> None:
        for runner in self._runners:
            runner.communicate(timeout=60)
        assert [runner.returncode for runner in self._runners] == [0] * PROCESSES


def held(database: Database) -> list[int]:
    with database.reading() as session:
        return sorted(session.scalars(select(CouponUse.learner_id)))


def counter(database: Database) -> int:
    with database.reading() as session:
        return session.scalars(select(Coupon.uses)).one()


def give_back(database: Database, learners: list[int]) -> None:
    with database.session() as session:
        coupon = session.scalars(select(Coupon.id)).one()
        for one in learners:
            coupons.release(session, coupon, Place(one, racing.PRODUCT))


def run_out(database: Database, learners: list[int]) -> None:
    with database.session() as session:
        theirs = update(CouponUse).where(CouponUse.learner_id.in_(learners))
        session.execute(theirs.values(expires_at=racing.AT))


def test_exactly_as_many_hold_a_coupon_as_it_has_uses(database, learners):
    with Race(database) as race:
        assert race.run(learners) == USES
        first = held(database)
        assert (len(first), len(set(first)), counter(database)) == (USES, USES, USES)
        others = [one for one in learners if one not in first]
        assert race.run(others) == 0
        give_back(database, first[:20])
        assert race.run(others) == 20
        assert (len(held(database)), counter(database)) == (USES, USES)
        run_out(database, first[20:])
        assert race.run([one for one in others if one not in held(database)]) == 30
        assert (len(held(database)), counter(database)) == (USES, USES)


def test_without_the_guards_too_many_hold_it(database, learners):
    with Race(database, "unguarded") as race:
        told = race.run(learners)
    assert told == len(held(database)) > USES


@pytest.fixture
def once_each(database, learners) -> Database:
    """The coupon may be used once by each learner, as often as there are learners."""
    with database.session() as session:
        session.execute(update(Coupon).values(total_limit=None, learner_limit=1))
    return database


def test_a_learner_with_many_tabs_uses_a_coupon_as_often_as_they_may(once_each):
    with Race(once_each, "tabs") as race:
        assert race.run(list(range(1, 41))) == 1
    assert (len(held(once_each)), counter(once_each)) == (1, 1)


def test_without_numbers_many_tabs_use_it_too_often(once_each):
    with Race(once_each, "loose-tabs") as race:
        assert race.run(list(range(1, 41))) > 1

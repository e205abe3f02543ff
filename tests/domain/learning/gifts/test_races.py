"""Gifts under races: one of many claims it, and a refund ends what a claim has opened a moment before."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import func, select

from domain.errors import NotFound
from domain.learning import grants
from domain.learning.gifts import claiming
from domain.learning.gifts import storing as gift_storing
from domain.learning.grants import GrantSource
from domain.tables import EnrolmentGrant, Gift
from tests.domain.learning.gifts.world import DAY, give, has_access, token
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

Claim = Callable[[int], bool]


@pytest.fixture
def sent_gift(database) -> str:
    """The token of a gift whose mail was sent."""
    with database.write_session() as session:
        give(session)
        return token(session)


def friends(database, count: int) -> list[int]:
    with database.write_session() as session:
        return [factories.learner(session, f"Friend {number}").id for number in range(count)]


def at_once(claim: Claim, learners: list[int]) -> int:
    """How many of them got it."""
    with ThreadPoolExecutor(len(learners)) as pool:
        return sum(pool.map(claim, learners))


def grant_count(database) -> int:
    with database.read_session() as session:
        return session.scalars(select(func.count(EnrolmentGrant.id))).one()


def test_one_of_20_at_once_claims_it(database, sent_gift):
    learners = friends(database, 20)
    gate = Barrier(len(learners))

    def claim(learner: int) -> bool:
        gate.wait()
        try:
            database.write_sync(claiming.claim, learner, sent_gift, NOON)
        except NotFound:
            return False
        return True

    assert at_once(claim, learners) == 1
    assert grant_count(database) == 1


def test_without_the_lock_two_at_once_claim_it(database, sent_gift):
    """The negative control: both look at the gift before one of them writes."""
    learners = friends(database, 2)
    gate = Barrier(len(learners))

    def claim_unguarded(learner: int) -> bool:
        with database.read_session() as session:
            gift = session.scalars(select(Gift)).one()
        gate.wait()
        if gift.state == "sent":
            database.write_sync(grants.grant, learner, [gift.product_id], GrantSource("gift", gift.id), NOON)
        return gift.state == "sent"

    assert at_once(claim_unguarded, learners) == 2
    assert grant_count(database) == 2


def end_unguarded(session, line: int, at, reason: str) -> None:
    """The negative control: what the transaction's own snapshot knows of the gift."""
    grants.end(session, GrantSource("gift", session.scalars(select(Gift.id)).one()), at, reason)


@pytest.mark.mariadb
@pytest.mark.parametrize(("take_back", "keeps"), [(gift_storing.return_of_line, False), (end_unguarded, True)])
def test_a_refund_ends_what_was_claimed_after_its_snapshot(mariadb_database, take_back, keeps):
    """SQLite has one writer at a time: nothing is claimed while a refund writes."""
    database = mariadb_database
    with database.write_session() as session:
        world = give(session)
        secret = token(session)
    # On MariaDB it may write, and keeps the state of its first read, as at the level that the server has by default.
    with database.read_session() as refund:
        refund.scalars(select(Gift.state)).one()
        database.write_sync(claiming.claim, world.friend, secret, NOON)
        take_back(refund, world.line, NOON + DAY / 2, "refund")
    with database.read_session() as session:
        assert has_access(session, world.friend, world.course) is keeps

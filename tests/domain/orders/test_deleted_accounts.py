"""Orders and refunds that were on their way when their learner deleted the account."""

import pytest
from sqlalchemy import func, select, update

from domain.checkout.priced import RequestedItem
from domain.errors import NotFound
from domain.identity.learners import NO_ACCOUNT
from domain.tables import Learner, Order, Refund
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import ask, paid

pytestmark = pytest.mark.each_database


@pytest.fixture
def world(session):
    return selling.fill(session)


def delete_account(session, learner_id: int) -> None:
    """What the deletion leaves of the learner's row."""
    session.execute(update(Learner).where(Learner.id == learner_id).values(issuer="", subject="gone", email=""))


def test_no_order_is_placed_for_a_deleted_account(session, world):
    delete_account(session, world.learner)
    with pytest.raises(NotFound, match=NO_ACCOUNT):
        selling.buy(session, world.learner, RequestedItem(world.course))
    assert session.scalars(select(func.count(Order.id))).one() == 0


def test_no_refund_is_asked_for_by_a_deleted_account(session, world):
    order = paid(session, world, RequestedItem(world.course))
    delete_account(session, world.learner)
    with pytest.raises(NotFound, match=NO_ACCOUNT):
        ask(session, order, {1: 1}, note="Not for me")
    assert session.scalars(select(func.count(Refund.id))).one() == 0

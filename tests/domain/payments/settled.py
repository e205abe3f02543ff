"""What tests of settlement do to orders, and what they find afterwards."""

from datetime import timedelta

from sqlalchemy import select

from domain.learning import grants
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.tables import Outbox, Refund
from tests.domain.orders.selling import SETTINGS
from tests.support.factories import NOON

NEXT_DAY = NOON + timedelta(days=1)


def all_of(session, table):
    return list(session.scalars(select(table).order_by(table.id)))


def kinds(session):
    return [row.kind for row in all_of(session, Outbox)]


def refunds(session):
    return [(row.number, row.reason, row.state, row.amount_minor) for row in all_of(session, Refund)]


def expire(session, order, at=NEXT_DAY):
    return expiry.expire(session, DueOrder(order.id, order.learner_id), Context(at, SETTINGS))


def owned(session, world):
    return grants.owned_ids(session, world.learner, [world.course], NEXT_DAY)

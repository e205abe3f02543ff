"""A shop that sells, and an order of it."""

import pytest

from domain.checkout.priced import RequestedItem
from tests.domain.orders import selling


@pytest.fixture
def world(session):
    return selling.fill(session)


@pytest.fixture
def order(session, world):
    """A course and a book."""
    return selling.buy(session, world.learner, RequestedItem(world.course), RequestedItem(world.book))

"""A shop with something to sell."""

import pytest

from tests.domain.orders import selling


@pytest.fixture
def world(session):
    return selling.fill(session)

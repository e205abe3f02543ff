"""The adapter against the stand-in of the gateway."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.payments.stripe_gateway import StripeGateway
from domain.database.database import Database
from tests.adapters.payments.world import World, account
from tests.standins.payments.shop import Shop, Webhook


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    """The stand-in in this process, and what tests order from it."""
    made = Shop(tmp_path / "standins", Webhook())
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
async def gateway(shop: Shop) -> AsyncIterator[StripeGateway]:
    adapter = StripeGateway(account(shop))
    yield adapter
    await adapter.close()


@pytest.fixture
async def world(database: Database, shop: Shop, gateway: StripeGateway) -> World:
    return World(database, shop, gateway)

"""The payment gateway as a shop sees it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.standins.payments.shop import Shop, Webhook


@pytest.fixture
def webhook() -> Webhook:
    return Webhook()


@pytest.fixture
async def shop(tmp_path: Path, webhook: Webhook) -> AsyncIterator[Shop]:
    """A shop whose gateway runs in this process, on a folder of its own."""
    made = Shop(tmp_path / "standins", webhook)
    await made.start()
    yield made
    await made.stop()

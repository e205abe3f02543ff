"""What the gateway has, for tests that call nobody."""

from datetime import timedelta
from typing import Any

from domain.payments.gateway import Reference, Snapshot
from tests.domain.payments.rows import CODE
from tests.support.factories import NOON


def snapshot(**changes: Any) -> Snapshot:
    """An open page of the first payment."""
    facts: dict[str, Any] = {
        "session_id": "cs_1",
        "state": "open",
        "payment": "unpaid",
        "amount_minor": 5_000,
        "currency": "USD",
        "livemode": False,
        "expires_at": NOON + timedelta(minutes=31),
        "reference": Reference("shop-uid", CODE, 1),
        "url": "https://pay.example/1",
    }
    return Snapshot(**{**facts, **changes})

"""The circuit of the payment gateway: what is wrong with one order stops no other."""

import contextlib
from collections.abc import Awaitable, Callable

import pytest

from domain.payments.gateway import (
    GatewayAccount,
    GatewayBroken,
    GatewayDown,
    GatewayError,
    GatewayRefused,
    GatewayUnavailable,
)
from host.messaging.payment_gateway import HostGateway

UNREADABLE, LOCKED = GatewayUnavailable("an unreadable response"), GatewayUnavailable("429 lock_timeout")
DOWN, BROKEN, REFUSED = GatewayDown("no answer"), GatewayBroken("500"), GatewayRefused("400")


@pytest.fixture
async def gateway():
    """A gateway that never answers a probe."""
    host = HostGateway(GatewayAccount("http://127.0.0.1:9", "", (), "", (), 0.1))
    yield host
    await host._breaker.close()


def work(error: GatewayError | None) -> Callable[[object], Awaitable[None]]:
    async def run(_gateway: object) -> None:
        if error is not None:
            raise error

    return run


@pytest.mark.parametrize(
    ("calls", "is_available"),
    [
        ([("order 1", UNREADABLE)] * 3 + [("order 2", UNREADABLE)], True),
        ([("order 1", LOCKED), ("order 2", LOCKED)], True),
        ([("order 1", REFUSED), ("order 2", REFUSED)], True),
        ([("order 1", BROKEN)] * 3, True),
        ([("order 1", BROKEN), ("order 2", None), ("order 3", BROKEN)], True),
        ([("order 1", BROKEN), ("order 2", BROKEN)], False),
        ([("order 1", DOWN)], False),
    ],
)
async def test_the_circuit_opens_for_what_concerns_all(gateway, calls, is_available):
    for about, error in calls:
        with contextlib.suppress(GatewayError):
            await gateway.call(work(error), about)
    assert gateway.is_available is is_available


async def test_while_it_is_open_nobody_waits(gateway):
    with pytest.raises(GatewayDown):
        await gateway.call(work(DOWN), "order 1")
    with pytest.raises(GatewayUnavailable, match="is not available"):
        await gateway.call(work(None), "order 2")

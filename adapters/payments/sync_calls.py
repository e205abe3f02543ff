"""The asynchronous gateway for code without an event loop: workers, the host's outbox thread, commands."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TypeVar

from adapters.payments.stripe_gateway import StripeGateway
from domain.payments.gateway import GatewayAccount, PaymentGateway

T = TypeVar("T")


class GatewayService:
    """What the handlers of the topic `payments` call (adapters/outbox.py: Service)."""

    def __init__(self, account: GatewayAccount):
        self._account = account

    def __enter__(self) -> "GatewayService":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None

    def ensure_ready(self) -> None:
        """Nothing is connected between two rows: each call opens connections of its own."""

    def run(self, work: Callable[[PaymentGateway], Awaitable[T]]) -> T:
        """What `work` returns, with a gateway for its own event loop. Raises what it raises."""
        return asyncio.run(self._run(work))

    async def _run(self, work: Callable[[PaymentGateway], Awaitable[T]]) -> T:
        gateway = StripeGateway(self._account)
        try:
            return await work(gateway)
        finally:
            await gateway.close()

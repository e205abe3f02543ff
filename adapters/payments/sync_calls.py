"""The asynchronous gateway for code without an event loop: workers, the host's outbox thread, commands."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TypeVar

from adapters.payments.stripe_gateway import StripeGateway
from domain.payments.gateway import GatewayAccount, PaymentGateway

T = TypeVar("T")


class GatewayService:
    """What the handlers of the topic `payments` call (adapters/outbox.py: Service), for one thread.

    Entered, it keeps its event loop and its connections for the calls until it is left; else each call has its own.
    """

    def __init__(self, account: GatewayAccount):
        self._account = account
        self._kept: tuple[asyncio.Runner, StripeGateway] | None = None

    def __enter__(self) -> "GatewayService":
        self._kept = asyncio.Runner(), StripeGateway(self._account)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._kept is not None:
            (runner, gateway), self._kept = self._kept, None
            with runner:
                runner.run(gateway.close())

    def ensure_ready(self) -> None:
        """Connections are opened by the calls that need them."""

    def run(self, work: Callable[[PaymentGateway], Awaitable[T]]) -> T:
        """What `work` returns, with a gateway for its own event loop. Raises what it raises."""
        if self._kept is None:
            return asyncio.run(self._run(work))
        runner, gateway = self._kept
        return runner.run(_coroutine(work, gateway))

    async def _run(self, work: Callable[[PaymentGateway], Awaitable[T]]) -> T:
        gateway = StripeGateway(self._account)
        try:
            return await work(gateway)
        finally:
            await gateway.close()


async def _coroutine(work: Callable[[PaymentGateway], Awaitable[T]], gateway: PaymentGateway) -> T:
    return await work(gateway)

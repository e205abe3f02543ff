"""The payment gateway of this host process. After a failure nobody waits for it until it answers again.

A failure is no answer, a refusal of our key, or errors of the gateway's own about two things one after another: what is
wrong with one order or payment, such as an unreadable response about it, must not stop all others.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from aiohttp import web

from adapters.payments.stripe_gateway import StripeGateway
from domain.payments.gateway import (
    Event,
    EventRefused,
    GatewayAccount,
    GatewayBroken,
    GatewayDown,
    GatewayUnavailable,
    PaymentGateway,
)
from host.resilience.circuit_breaker import CircuitBreaker

T = TypeVar("T")
PROBED_EVENTS = timedelta(minutes=1)


class HostGateway:
    """Calls of the gateway through a circuit breaker."""

    def __init__(self, account: GatewayAccount | None):
        """`account` None: nothing can be paid."""
        self._gateway = None if account is None else StripeGateway(account)
        self.events_accepted = self.events_refused = 0
        # What the last call concerned, if the gateway answered it with an error of its own.
        self._broken_about: str | None = None
        self._breaker = CircuitBreaker("the payment gateway", self._probe)

    @property
    def name(self) -> str:
        return StripeGateway.name

    @property
    def state(self) -> str:
        """For /readyz."""
        if self._gateway is None:
            return "none"
        return "down" if self._breaker.is_open else "up"

    @property
    def is_available(self) -> bool:
        """Whether a page to pay on can be opened now, as far as this process knows."""
        return self.state == "up"

    async def call(self, work: Callable[[PaymentGateway], Awaitable[T]], about: str) -> T:
        """What `work` returns. `about`: which order or payment it concerns. Raises GatewayUnavailable at once while the
        circuit is open, and what `work` raises."""
        if self._gateway is None or self._breaker.is_open:
            raise GatewayUnavailable("the payment gateway is not available")
        try:
            result = await work(self._gateway)
        except GatewayUnavailable as error:
            if self._is_down(error, about):
                self._breaker.trip(error)
            raise
        self._broken_about = None
        return result

    def _is_down(self, error: GatewayUnavailable, about: str) -> bool:
        if isinstance(error, GatewayBroken):
            is_second = self._broken_about not in (None, about)
            self._broken_about = about
            return is_second
        return isinstance(error, GatewayDown)

    async def verify_event(self, body: bytes, header: str | None, at: datetime) -> Event:
        """Needs no connection. Raises EventRefused."""
        if self._gateway is None:
            raise EventRefused("no payment gateway is set up")
        return await self._gateway.verify_event(body, header, at)

    async def _probe(self) -> None:
        if self._gateway is not None:
            await self._gateway.list_events(datetime.now(UTC) - PROBED_EVENTS, None)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        await self._breaker.close()
        if self._gateway is not None:
            await self._gateway.close()


HOST_GATEWAY = web.AppKey("host_gateway", HostGateway)

"""What every client of workers has: the breaker that stops calls nobody answers, its state, and its lifespan."""

from collections.abc import AsyncIterator

from host.messaging.reply_channel import ReplyChannel
from host.resilience.circuit_breaker import CircuitBreaker


class WorkerCalls:
    """Calls of workers behind a circuit breaker: the first one without a reply opens it, and a reply to a ping closes
    it. The pings run in the background, also after the start, so that nobody waits for them. `replies` None: there is
    no broker."""

    def __init__(self, replies: ReplyChannel | None, worker: str):
        self._replies = replies
        self._breaker = CircuitBreaker(worker, self._ping)
        self.by_worker = self.inline = 0

    async def _ping(self) -> None:
        """Raises RpcFailed without a worker."""
        raise NotImplementedError

    @property
    def state(self) -> str:
        """For /readyz: "none" without a broker, "starting" until a worker has answered, "up", or "broken off" while the
        circuit is open."""
        if self._replies is None:
            return "none"
        if self._breaker.is_starting:
            return "starting"
        return "broken off" if self._breaker.is_open else "up"

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        if self._replies is not None:
            self._replies.open()
            self._breaker.watch()
        yield
        await self._breaker.close()
        if self._replies is not None:
            await self._replies.close()

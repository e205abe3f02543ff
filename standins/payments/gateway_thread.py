"""The one thread that runs a gateway's transactions: SQLite has one writer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from standins.payments.gateway import AnyWork, Gateway, Result
from standins.payments.work import Work


class GatewayThread:
    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self._executor = ThreadPoolExecutor(1, "payments")

    async def run(self, handler: Callable[[AnyWork], Result], work: AnyWork) -> Result:
        """Runs a function in a transaction of its own, also when whoever waits for it is cancelled."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self.gateway.run, handler, work)

    async def run_alone(self, handler: Callable[[Work], Result]) -> Result:
        """Runs a function in a transaction of its own, without a request."""
        return await self.run(handler, self.gateway.new_work())

    def close(self) -> None:
        self._executor.shutdown()
        self.gateway.engine.dispose()

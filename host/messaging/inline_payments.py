"""Does the background work of payments in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from threading import Thread

from sqlalchemy.exc import InterfaceError, OperationalError

from adapters.outbox import PAUSE_S
from adapters.payments.runner import EVENTS_EVERY_S, POLL_EVERY_S, RECONCILE_EVERY_S, NotPrepared, PaymentRunner
from domain.outbox import ServiceDown
from domain.payments.gateway import GatewayError
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenThread

log = logging.getLogger("coursefront.payments")

# As often as beat sends the task to workers.
EVERY_S = 2.0


class InlinePayments:
    """Handles due rows every EVERY_S and after `wake`, and what is regular when it is due. Several hosts may do so."""

    def __init__(self, runner: PaymentRunner):
        self._thread = WokenThread("payments")
        self._runner = runner
        self._paused_until = 0.0
        self._reconciling: Thread | None = None
        now = time.monotonic()
        # [when it is due next, its period, what to do]: the first time soon after the start.
        self._regular: list[tuple[float, float, Callable[[], object]]] = [
            (now + POLL_EVERY_S, POLL_EVERY_S, runner.poll),
            (now + EVENTS_EVERY_S, EVENTS_EVERY_S, runner.add_missed_events),
            (now + EVENTS_EVERY_S, RECONCILE_EVERY_S, self._start_reconciling),
        ]
        self.loop = BackgroundLoop("payments", self._iterate)

    def wake(self) -> None:
        """Call it after the commit."""
        self._thread.wake()

    async def _iterate(self) -> None:
        try:
            await self._thread.turn(EVERY_S, self._work)
        except GatewayError as error:
            log.warning("payments wait for the gateway: %s", error)
        except NotPrepared:
            log.info("payments wait until the database is prepared")
        except (OperationalError, InterfaceError) as error:
            log.info("payments wait for the database: %s", error.orig)

    def _work(self) -> None:
        now = time.monotonic()
        if self._paused_until <= now:
            self._handle_rows()
        for number, (due, period, work) in enumerate(self._regular):
            if due <= now:
                self._regular[number] = (now + period, period, work)
                work()

    def _handle_rows(self) -> None:
        """Polls go on while the rows wait: they say when the gateway answers again."""
        try:
            self._runner.handle_rows()
        except ServiceDown as error:
            self._paused_until = time.monotonic() + PAUSE_S
            log.warning("calls of the payment gateway pause for %g s: %s", PAUSE_S, error)

    def _start_reconciling(self) -> None:
        """In a thread of its own: it takes minutes, for which no row and no poll is to wait."""
        if self._reconciling is None or not self._reconciling.is_alive():
            self._reconciling = Thread(target=self._reconcile, daemon=True, name="reconciling payments")
            self._reconciling.start()

    def _reconcile(self) -> None:
        try:
            self._runner.reconcile()
        except (GatewayError, NotPrepared) as error:
            log.info("payments are reconciled later: %s", error)
        except (OperationalError, InterfaceError) as error:
            log.info("payments are reconciled later: %s", error.orig)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()
        await self._thread.finish()

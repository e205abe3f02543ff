"""Does the background work of payments in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import logging
import time
from collections.abc import Callable
from threading import Thread

from sqlalchemy.exc import InterfaceError, OperationalError

from adapters.outbox import PAUSE_S
from adapters.payments.runner import NotPrepared, PaymentRunner
from contracts.tasks import PERIODIC, Task
from domain.outbox.errors import ServiceDown
from domain.payments.gateway import GatewayError
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.payments")

EVERY_S = PERIODIC[Task.CALL_GATEWAY].every_s
PERIODS = {
    task: PERIODIC[task].every_s for task in (Task.POLL_PAYMENTS, Task.ADD_MISSED_EVENTS, Task.RECONCILE_PAYMENTS)
}
# Soon after the start for the first time.
FIRST_S = 60.0


class InlinePayments(WokenPart):
    """Handles due rows every EVERY_S and after `wake`, and what is regular when it is due. Several hosts may do so."""

    tasks = (Task.CALL_GATEWAY, *PERIODS)

    def __init__(self, runner: PaymentRunner):
        self._thread = WokenThread("payments")
        self._runner = runner
        self._paused_until = 0.0
        self._reconciling: Thread | None = None
        now = time.monotonic()
        self._regular: dict[Task, Callable[[], object]] = {
            Task.POLL_PAYMENTS: runner.poll,
            Task.ADD_MISSED_EVENTS: runner.add_missed_events,
            Task.RECONCILE_PAYMENTS: self._start_reconciling,
        }
        self._due_at = {task: now + min(PERIODS[task], FIRST_S) for task in self._regular}
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
        for task, work in self._regular.items():
            if self._due_at[task] <= now:
                self._due_at[task] = now + PERIODS[task]
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

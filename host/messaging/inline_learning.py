"""Recounts courses in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import logging

from sqlalchemy.exc import InterfaceError, OperationalError

from adapters import learning
from adapters.outbox import handle_rows, has_due
from contracts.tasks import PERIODIC, Task, Topic
from domain.database.database import Database
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.learning")

EVERY_S = PERIODIC[Task.RUN_LEARNING].every_s


class InlineLearning(WokenPart):
    """Handles due rows every EVERY_S and after `wake`. Several hosts may do so: the lease of a row decides."""

    tasks = (Task.RUN_LEARNING,)

    def __init__(self, database: Database):
        self._database = database
        self._handlers = learning.handlers(database)
        self._thread = WokenThread("learning")
        self.loop = BackgroundLoop("recounting courses", self._iterate)

    def wake(self) -> None:
        """Call it after the commit."""
        self._thread.wake()

    async def _iterate(self) -> None:
        try:
            await self._thread.turn(EVERY_S, self._handle_rows)
        except (OperationalError, InterfaceError) as error:
            log.info("recounts wait for the database: %s", error.orig)

    def _handle_rows(self) -> None:
        if has_due(self._database, Topic.LEARNING, self._handlers):
            handle_rows(self._database, Topic.LEARNING, learning.NoService(), self._handlers)

"""Does jobs in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import logging
from collections.abc import Mapping

from sqlalchemy.exc import InterfaceError, OperationalError

from adapters.job_kinds import KEPT_KINDS
from adapters.jobs import JobRunner, Kind
from contracts.tasks import PERIODIC, Task
from domain.database.database import Database
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.jobs")

EVERY_S = PERIODIC[Task.RUN_JOBS].every_s
# Shorter than in workers: a host that stops waits for one second.
SLICE_S = 0.5


class InlineJobs(WokenPart):
    """A slice every EVERY_S, and at once while there is more to do. Several hosts may do so: claims decide."""

    # Pictures are jobs too.
    tasks = (Task.RUN_JOBS, Task.CONVERT_IMAGES)

    def __init__(self, database: Database, kinds: Mapping[str, Kind]):
        self._runner = JobRunner(database, kinds, KEPT_KINDS)
        self._thread = WokenThread("jobs")
        self._has_more = False
        self.loop = BackgroundLoop("doing jobs", self._iterate)

    async def _iterate(self) -> None:
        if self._has_more:
            self._thread.wake()
        try:
            await self._thread.turn(EVERY_S, self._run_slice)
        except (OperationalError, InterfaceError) as error:
            log.info("jobs wait for the database: %s", error.orig)

    def _run_slice(self) -> None:
        self._has_more = False
        self._has_more = self._runner.run_slice(SLICE_S)

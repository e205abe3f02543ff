"""Does in this process what begins by itself at fixed intervals (adapters/periodic.py), and the nightly check of the
audit events, when there is no broker and so no worker (REDIS_URL=none)."""

import logging
import time
from datetime import UTC, date, datetime

from sqlalchemy.exc import SQLAlchemyError

from adapters import audit_check, periodic
from adapters.periodic import WORK, Means
from contracts.tasks import PERIODIC, Task
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.periodic")

# Between two looks at what is due. The first one leaves a start alone.
EVERY_S = 5.0


class InlinePeriodic(WokenPart):
    """All of it once soon after the start, then at its intervals. Several hosts may do so."""

    tasks = (*WORK, Task.VERIFY_AUDIT)

    def __init__(self, means: Means):
        self._means = means
        self._due_at: dict[Task, float] = dict.fromkeys(WORK, 0.0)
        self._audit_checked_on: date | None = None
        self._thread = WokenThread("periodic")
        self.loop = BackgroundLoop("periodic work", self._iterate)

    async def _iterate(self) -> None:
        await self._thread.turn(EVERY_S, self._run_due)

    def _run_due(self) -> None:
        for task in WORK:
            if time.monotonic() >= self._due_at[task]:
                self._due_at[task] = time.monotonic() + PERIODIC[task].every_s
                periodic.run(task, self._means)
        self._check_audit(datetime.now(UTC))

    def _check_audit(self, at: datetime) -> None:
        nightly = PERIODIC[Task.VERIFY_AUDIT].at
        if nightly is None or at.hour != nightly.hour or self._audit_checked_on == at.date():
            return
        self._audit_checked_on = at.date()
        after: int | None = 0
        try:
            while after is not None:
                after = audit_check.check_slice(self._means.database, after)
        except SQLAlchemyError as error:
            log.warning("the record of changes is checked in the next night: %s", error)

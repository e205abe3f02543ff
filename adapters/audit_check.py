"""The nightly check of the chain of audit events, in slices: by workers, and by a host without a broker."""

import logging
import time
from datetime import UTC, datetime

from domain.audit import checks, verification
from domain.database.database import Database
from domain.permissions import SystemActor

log = logging.getLogger("coursefront.audit")

# A slice ends well before the limit of a task, 20 s, and each of its reads well within the database's deadline.
SLICE_S = 8.0
READ_EVENTS = 2_000


def check_slice(database: Database, after: int) -> int | None:
    """Check the events after the number `after`. Returns the number to go on after; None once all are checked and the
    result is recorded. Raises SQLAlchemyError."""
    until = time.monotonic() + SLICE_S
    with database.read_session() as session:
        result = verification.verify(session, after, READ_EVENTS)
        while result.wrong is None and not result.is_complete and time.monotonic() < until:
            result = verification.verify(session, result.checked, READ_EVENTS)
    if result.wrong is None and not result.is_complete:
        return result.checked
    database.write_as_sync(SystemActor("system", datetime.now(UTC)), checks.record_check, result)
    if result.wrong is None:
        log.info("the record of changes is right up to event %d", result.checked)
    else:
        log.error("event %d is not as it was recorded", result.wrong)
    return None

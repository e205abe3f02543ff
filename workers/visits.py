"""visits.store: a batch of visits into the records, once."""

import logging
import time
from datetime import UTC, datetime
from typing import Any

from celery.exceptions import Reject
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError

from domain import visits
from workers import ledger
from workers.app import VISIBILITY_TIMEOUT_S, app, database

log = logging.getLogger("coursefront.workers.visits")

# While the records are away a batch goes back to the queue no faster than this.
PAUSE_S = 1.0


# Long enough for a batch that is only late; half, so that a sweep comes before 90 s have passed.
OVERDUE_S = VISIBILITY_TIMEOUT_S / 2


@app.task(name="visits.store", bind=True)
def store(task: Any, rows: list[dict[str, Any]]) -> None:
    """Safe to run twice: rows carry their event id. With the records away the batch stays in the queue."""
    try:
        _store(rows)
    except (OperationalError, InterfaceError) as error:
        log.warning("%d visits wait for the records: %s", len(rows), error.orig)
        time.sleep(PAUSE_S)
        raise Reject(error, requeue=True) from error
    if task.request.id:
        ledger.forget(task.request.id)


@app.task(name="visits.sweep")
def sweep() -> None:
    """Store the batches whose message went down with a worker; what cannot be stored now waits for the next sweep."""
    try:
        for name, rows in ledger.overdue(OVERDUE_S):
            _store(rows)
            ledger.forget(name)
            log.warning("%d visits of a lost message were stored from the ledger", len(rows))
    except (OperationalError, InterfaceError, RedisError, OSError) as error:
        log.warning("the ledger waits for the next sweep: %s", error)


def _store(rows: list[dict[str, Any]]) -> None:
    with database().session() as session:
        visits.store(session, rows, datetime.now(UTC))

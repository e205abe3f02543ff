"""visits.store: a batch of visits into the records, once."""

import logging
import time
from datetime import UTC, datetime
from typing import Any

from celery.exceptions import Reject
from sqlalchemy.exc import InterfaceError, OperationalError

from domain import visits
from workers.app import app, database

log = logging.getLogger("coursefront.workers.visits")

# While the records are away a batch goes back to the queue no faster than this.
PAUSE_S = 1.0


@app.task(name="visits.store")
def store(rows: list[dict[str, Any]]) -> None:
    """Safe to run twice: rows carry their event id. With the records away the batch stays in the queue."""
    try:
        with database().session() as session:
            visits.store(session, rows, datetime.now(UTC))
    except (OperationalError, InterfaceError) as error:
        log.warning("%d visits wait for the records: %s", len(rows), error.orig)
        time.sleep(PAUSE_S)
        raise Reject(error, requeue=True) from error

"""visits.store: stores a batch of visits in the database, each visit once."""

import logging
import time
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from celery.exceptions import Reject
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError

from contracts.payloads import MalformedPayload, NewerPayload, decode_visits
from contracts.tasks import Task
from domain.visits import visits
from workers import metrics, pending_batches
from workers.app import SETTINGS, database, task

log = logging.getLogger("coursefront.workers.visits")

# While the database is unavailable, a batch returns to the queue after this time.
RETRY_AFTER_S = 1.0
# Long enough for batches that are only late. Half of the timeout, so that lost batches are stored within 90 s.
OVERDUE_S = SETTINGS.visibility_timeout_s / 2


@task(Task.STORE_VISITS, bind=True)
def store(task: Any, rows: list[Any] | None = None, batch: Any = None) -> None:
    """Safe to run twice: rows have an event id. While the database is unavailable the batch stays in the queue.

    `rows` is the bare list that hosts of the build before send.
    """
    try:
        _store(task.request.id, rows if batch is None else batch)
    except (OperationalError, InterfaceError, RedisError, OSError) as error:
        log.warning("a batch of visits waits: %s", getattr(error, "orig", error))
        time.sleep(RETRY_AFTER_S)
        raise Reject(error, requeue=True) from error


@task(Task.STORE_OVERDUE_VISITS)
def store_overdue() -> None:
    """Store batches whose message was lost with a worker, and those that an older worker could not read."""
    try:
        for name, payload in pending_batches.overdue(OVERDUE_S):
            count = _store(name, payload)
            log.warning("%d visits of a lost message were stored from the pending batches", count)
        for name, payload in pending_batches.set_aside_batches():
            _store(name, payload)
            pending_batches.remove_set_aside(name)
    except (OperationalError, InterfaceError, RedisError, OSError) as error:
        log.warning("pending batches wait for the next run: %s", error)


def _store(batch_id: str | None, payload: Any) -> int:
    """Store a batch and return its number of visits. A payload that only a newer worker can read is set aside."""
    try:
        rows = decode_visits(payload).rows
    except NewerPayload as error:
        log.warning("a batch of visits waits for a newer worker: %s", error)
        pending_batches.set_aside(batch_id or uuid4().hex, payload, error.version)
        return 0
    except MalformedPayload:
        # store_visits turns it into one dead letter, with the reason.
        rows = [payload]
    with database().write_session() as session:
        visits.store_visits(session, rows, datetime.now(UTC))
    metrics.count("visits_stored", len(rows))
    if batch_id:
        pending_batches.mark_stored(batch_id)
    return len(rows)

"""visits.store_batches: stores the batches of visits that wait in Redis, each visit once."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import orjson
from celery.exceptions import Reject
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session

from contracts.payloads import MalformedPayload, NewerPayload, VisitBatch, decode_visits
from contracts.tasks import Task
from domain.visits import storing
from workers import metrics, set_aside, visit_batches
from workers.app import SETTINGS, database, task
from workers.set_aside import SetAside
from workers.visit_batches import Claimed

log = logging.getLogger("coursefront.workers.visits")

# While the database is unavailable, batches are tried again after this time.
RETRY_AFTER_S = 1.0
# Long enough for batches that are only late. Half of the timeout, so that lost batches are stored within 90 s.
OVERDUE_S = SETTINGS.visibility_timeout_s / 2


# Batches that no message came for, or whose worker was killed, are stored in one run for at most this long.
OVERDUE_RUN_S = 3.0
# When storing the claimed batches together has failed, they are stored singly until so long after the beginning, while
# none could be stored for a shorter time: a database that is away may make each attempt wait, and after 20 s the task
# is killed.
SINGLY_S, SINGLY_UNSTORED_S = 9.0, 4.0
# A batch that has failed so often although others were stored is stored row by row.
MAX_FAILURES = 3
UNAVAILABLE = (OperationalError, InterfaceError, RedisError, OSError)


@task(Task.STORE_VISIT_BATCHES)
def store_batches() -> None:
    """Store as many of the oldest batches as a message stands for. Safe to run twice: visits have an event id.

    While the database is unavailable they wait in Redis, and the message in its queue. A message that finds nothing is
    done: another one's task has stored its batch.
    """
    until, left = time.monotonic() + OVERDUE_RUN_S, visit_batches.MAX_BATCHES
    try:
        while left > 0 and time.monotonic() < until and (count := _store_claimed(left)):
            left -= count
    except UNAVAILABLE as error:
        raise _later(error) from error


@task(Task.STORE_OVERDUE_VISITS)
def store_overdue() -> None:
    """Store batches whose message was lost or whose worker was killed, and those that an older worker set aside. One
    that cannot be stored delays no other."""
    for work in (_store_overdue, _store_set_aside):
        _try("batches of visits wait", work)


def _try(what: str, work: Callable[[], object]) -> None:
    """What fails is tried again by the next run."""
    try:
        work()
    except UNAVAILABLE as error:
        log.warning("%s for the next run: %s", what, getattr(error, "orig", error))
    except Exception:
        log.exception("%s for the next run", what)


def _store_set_aside() -> None:
    until = time.monotonic() + OVERDUE_RUN_S
    for batch in set_aside.set_aside_batches():
        if time.monotonic() < until:
            _try(f"batch {batch.batch}, which was set aside, waits", partial(_store_one_set_aside, batch))


def _store_one_set_aside(batch: SetAside) -> None:
    # One of a newer version may be of an unknown kind too: then it is set aside again, under another name.
    if (read := _decoded(batch.batch, batch.payload)) is not None:
        _write(storing.store_batch, read, len(read.rows))
    set_aside.remove_set_aside(batch)


def _later(error: Exception) -> Reject:
    log.warning("batches of visits wait: %s", getattr(error, "orig", error))
    time.sleep(RETRY_AFTER_S)
    return Reject(error, requeue=True)


def _store_overdue() -> None:
    if count := visit_batches.give_back_old(OVERDUE_S):
        log.warning("%d batches of visits were given back that a worker had claimed and not stored", count)
    until = time.monotonic() + OVERDUE_RUN_S
    while visit_batches.is_overdue(OVERDUE_S) and time.monotonic() < until:
        count = _store_claimed(visit_batches.MAX_BATCHES)
        log.warning("%d batches of visits were stored that no message came for", count)


def _store_claimed(most: int) -> int:
    """Claim and store at most so many of the oldest batches and return their number. Raises UNAVAILABLE."""
    claimed, began = visit_batches.claim(most), time.monotonic()
    count = len(claimed)
    try:
        if claimed and (error := _store_several(claimed)):
            log.warning("%d batches of visits are stored one by one: %s", count, getattr(error, "orig", error))
            _store_one_by_one(claimed, began, error)
    finally:
        visit_batches.give_back(claimed)
    return count


def _store_several(claimed: dict[str, Claimed]) -> Exception | None:
    """Store the batches in one transaction; `claimed` is empty then. Returns the error instead if one of them, or the
    database, is at fault."""
    try:
        read = [batch for batch in (_read(name, item.payload) for name, item in claimed.items()) if batch is not None]
        _write(storing.store_several, read, sum(len(batch.rows) for batch in read))
    except Exception as error:
        return error
    visit_batches.remove(list(claimed))
    claimed.clear()
    return None


def _store_one_by_one(claimed: dict[str, Claimed], began: float, error: Exception) -> None:
    """Each in a transaction of its own. `claimed` keeps those that were not tried.

    A batch that fails although another one is stored is at fault. It stays claimed, is tried again after OVERDUE_S, and
    delays no other meanwhile; being given back then counts as its failure, as for one that kills its worker. While none
    can be stored, the database is at fault and the error is raised. The newest of all is tried first, so that lasting
    errors of the oldest ones do not look like that.
    """
    newest = visit_batches.claim_newest()
    names = [*newest, *claimed]
    claimed |= newest
    failed: dict[str, Exception] = {}
    is_any_stored = False
    for name in names:
        if time.monotonic() - began > (SINGLY_S if is_any_stored else SINGLY_UNSTORED_S):
            break
        try:
            _store_alone(name, claimed[name].payload)
        except Exception as reason:
            failed[name] = error = reason
            continue
        is_any_stored = True
        visit_batches.remove([name])
        del claimed[name]
    if not is_any_stored:
        raise error
    _set_back(claimed, failed)


def _set_back(claimed: dict[str, Claimed], failed: dict[str, Exception]) -> None:
    for name, error in failed.items():
        log.error("batch %s of visits cannot be stored: %s", name, getattr(error, "orig", error))
        del claimed[name]
    metrics.count("visit_batches_failed", len(failed))


def _store_alone(name: str, payload: bytes) -> None:
    batch = _read(name, payload)
    if batch is None:
        return
    if visit_batches.failures_of(name) >= MAX_FAILURES - 1:
        _store_parts(batch)
        return
    try:
        _write(storing.store_batch, batch, len(batch.rows))
    except UNAVAILABLE:
        raise
    except Exception:
        log.exception("batch %s of visits is stored row by row", name)
        _store_parts(batch)


def _store_parts(batch: VisitBatch) -> None:
    """Row by row where it must be. Each part is committed by itself, and is quick when it is stored already: a batch
    that takes longer than a task may is finished by a later one."""
    for part in storing.split(batch):
        try:
            _write(storing.store_batch, part, len(part.rows))
        except Exception:
            _write(storing.store_row_by_row, part, len(part.rows))


def _write(store: Callable[[Session, Any, datetime], bool], read: Any, count: int) -> None:
    """`store`: a function of domain.visits.storing; `read`: what it takes; `count`: the visits therein."""
    with database().write_session() as session:
        is_recorded = store(session, read, datetime.now(UTC))
    metrics.count("visits_stored", count)
    if not is_recorded:
        metrics.count("retired_pages_unrecorded")


def _read(batch_id: str, text: bytes) -> VisitBatch | None:
    """None for a batch that only a newer worker can read: it is set aside."""
    try:
        payload = orjson.loads(text)
    except ValueError:
        # It becomes one dead letter, with the reason.
        payload = text.decode("utf-8", "replace")
    return _decoded(batch_id, payload)


def _decoded(batch_id: str, payload: Any) -> VisitBatch | None:
    try:
        return decode_visits(payload)
    except NewerPayload as error:
        log.warning("a batch of visits waits for a newer worker: %s", error)
        set_aside.set_aside(batch_id, payload, error)
        return None
    except MalformedPayload:
        return VisitBatch(rows=[payload])

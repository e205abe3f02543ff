"""Deletes what has expired: reservations of cart lines, guests' carts, sessions, done rows of the outbox, dead rows and
dead letters, persons in old documents. Beat sends a task for each."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from config.worker_settings import WorkerSettings
from contracts.tasks import FORMER_MAINTENANCE, Task
from domain import cart, outbox, reservations
from domain.checkout import cart_links, drafts
from domain.documents import erasure
from domain.identity import sessions
from domain.visits import dead_letters
from workers.app import app, database, task

log = logging.getLogger("coursefront.workers.maintenance")

# Functions that delete a limited number of rows are repeated for so long in one run.
REPEAT_S = 5.0


@task(Task.RELEASE_RESERVATIONS)
def release_reservations() -> None:
    """Between two batches others get the locks, on SQLite that of the whole database."""
    _delete_repeatedly("reservations released", reservations.release_expired, datetime.now(UTC), logging.INFO)


@task(Task.DELETE_EXPIRED_CARTS)
def delete_expired_carts() -> None:
    _delete("guests' carts deleted", cart.delete_expired_carts)
    _delete("cart links deleted", cart_links.delete_expired)
    _delete("drafts of the checkout deleted", drafts.delete_expired)


@task(Task.DELETE_EXPIRED_SESSIONS)
def delete_expired_sessions() -> None:
    _delete("sessions deleted", sessions.delete_expired)


@task(Task.DELETE_DONE_OUTBOX_ROWS)
def delete_done_outbox_rows() -> None:
    """Rows that were done OUTBOX_KEEP_DAYS ago."""
    before = datetime.now(UTC) - timedelta(days=WorkerSettings.from_environment().outbox_keep_days)
    _delete_repeatedly("done rows of the outbox deleted", outbox.delete_done, before)


@task(Task.DELETE_OLD_DEAD_LETTERS)
def delete_old_dead_letters() -> None:
    """Dead letters and dead rows of the outbox that nobody replayed within DEAD_LETTERS_KEEP_DAYS."""
    before = datetime.now(UTC) - timedelta(days=WorkerSettings.from_environment().dead_letters_keep_days)
    _delete_repeatedly("dead letters deleted unread", dead_letters.delete_old, before)
    _delete_repeatedly("dead rows of the outbox deleted unread", outbox.delete_dead, before)


@task(Task.ERASE_OLD_DOCUMENTS)
def erase_old_documents() -> None:
    """Names and addresses of orders whose documents are older than DOCUMENTS_KEEP_YEARS."""
    before = erasure.years_before(datetime.now(UTC), WorkerSettings.from_environment().documents.documents_keep_years)
    _delete_repeatedly("orders of old documents erased", erasure.erase_old, before, logging.INFO)


@app.task(name=FORMER_MAINTENANCE)
def run_all() -> None:
    """The task that beat of the build before sends; served for one release."""
    release_reservations()
    delete_expired_carts()
    delete_expired_sessions()


def _delete(what: str, delete: Callable[..., int | None]) -> None:
    try:
        count = database().write_sync(delete, datetime.now(UTC))
    except SQLAlchemyError as error:
        log.warning("%s: failed until the next run: %s", what, error)
    else:
        log.info("%s: %s", what, count)


def _delete_repeatedly(what: str, delete: Callable[..., int], before: datetime, level: int = logging.WARNING) -> None:
    """Call `delete`, which takes a limited number of rows, until it finds none; the next run does the rest."""
    count, until = 0, time.monotonic() + REPEAT_S
    try:
        while time.monotonic() < until and (deleted := database().write_sync(delete, before)):
            count += deleted
    except SQLAlchemyError as error:
        log.warning("%s: failed until the next run: %s", what, error)
    if count:
        log.log(level, "%s: %d", what, count)

"""Deletes expired reservations of coupons, guests' carts and sessions, each in a task of its own sent by beat."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from contracts.tasks import FORMER_MAINTENANCE, Task
from domain import cart, coupons
from domain.identity import sessions
from workers.app import app, database, task

log = logging.getLogger("coursefront.workers.maintenance")


@task(Task.RELEASE_RESERVATIONS)
def release_reservations() -> None:
    _delete("reservations released", coupons.release_expired)


@task(Task.DELETE_EXPIRED_CARTS)
def delete_expired_carts() -> None:
    _delete("guests' carts deleted", cart.delete_expired_carts)


@task(Task.DELETE_EXPIRED_SESSIONS)
def delete_expired_sessions() -> None:
    _delete("sessions deleted", sessions.delete_expired)


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

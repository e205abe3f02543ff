"""The task that publishes scheduled courses and applies planned prices when their time has come."""

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from contracts.tasks import Task
from domain.publishing.editing import publication
from workers.app import database, task

log = logging.getLogger("coursefront.workers.publishing")


@task(Task.PUBLISH_DUE)
def publish_due() -> None:
    """A transaction for each: one that fails does not delay the others, and is tried again by the next run."""
    at = datetime.now(UTC)
    with database().read_session() as session:
        courses, prices = publication.due_courses(session, at), publication.due_prices(session, at)
    _run("scheduled courses", publication.publish_due, courses, at)
    _run("planned prices", publication.apply_due_price, prices, at)


def _run(what: str, function: Callable[..., bool], ids: Iterable[int], at: datetime) -> None:
    for row_id in ids:
        try:
            database().write_sync(function, row_id, at)
        except SQLAlchemyError as error:
            log.warning("%s: %d failed until the next run: %s", what, row_id, error)
        else:
            log.info("%s: %d is done", what, row_id)

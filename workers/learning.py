"""Tasks of learning: the rows of the topic "learning" (adapters/learning.py), and the stars of courses whose reviews
changed."""

import logging

from sqlalchemy.exc import SQLAlchemyError

from adapters import learning
from contracts.tasks import Task, Topic
from domain.learning import reviews
from workers import outbox
from workers.app import database, task

log = logging.getLogger("coursefront.workers.learning")


@task(Task.RUN_LEARNING)
def run_pending() -> int:
    """Handle due rows for a few seconds. Returns how many are done."""
    return outbox.run(Topic.LEARNING, learning.open_service, learning.handlers(database()))


@task(Task.UPDATE_RATINGS)
def update_ratings() -> None:
    """What a run cannot do is left for the next one."""
    try:
        count = database().write_sync(reviews.update_ratings)
    except SQLAlchemyError as error:
        log.warning("the stars of courses are counted later: %s", error)
    else:
        log.info("stars of courses counted anew: %d", count)

"""The task of learning: the rows of the topic "learning" (adapters/learning.py)."""

from adapters import learning
from contracts.tasks import Task, Topic
from workers import outbox
from workers.app import database, task


@task(Task.RUN_LEARNING)
def run_pending() -> int:
    """Handle due rows for a few seconds. Returns how many are done."""
    return outbox.run(Topic.LEARNING, learning.open_service, learning.handlers(database()))

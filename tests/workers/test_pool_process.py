"""What a process of a worker's pool does before its first task."""

import gc
import os

import pytest
from celery.signals import worker_process_init, worker_ready

from workers import app


def begin_process() -> None:
    worker_process_init.send(sender=None)
    _require_frozen()


def begin_threads() -> None:
    """A pool of threads has no process of its own, and Celery sends no other signal for it."""
    worker_ready.send(sender=None)
    _require_frozen()


def _require_frozen() -> None:
    assert (gc.get_freeze_count() > 10_000, gc.get_threshold()[0]) == (True, app.COLLECT_AFTER)


@pytest.mark.parametrize("begin", [begin_process, begin_threads])
def test_collections_leave_out_what_was_there_at_the_start(children, begin):
    assert children.run(begin) == os.EX_OK

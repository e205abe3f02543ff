"""What a process of a worker's pool does before its first task."""

import gc
import os

from celery.signals import worker_process_init

from workers import app


def begin() -> None:
    worker_process_init.send(sender=None)
    assert (gc.get_freeze_count() > 10_000, gc.get_threshold()[0]) == (True, app.COLLECT_AFTER)


def test_collections_leave_out_what_was_there_at_the_start(children):
    assert children.run(begin) == os.EX_OK

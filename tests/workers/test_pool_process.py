"""What a process of a worker's pool does before its first task."""

import gc

from celery.signals import worker_process_init

from workers import app


def test_collections_leave_out_what_was_there_at_the_start():
    before = gc.get_threshold()
    try:
        worker_process_init.send(sender=None)
        assert (gc.get_freeze_count() > 10_000, gc.get_threshold()[0]) == (True, app.COLLECT_AFTER)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)

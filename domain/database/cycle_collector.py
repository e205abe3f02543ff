"""Pauses Python's collector of cycles while many rows are read that are in none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Looking for cycles among some hundred thousand rows, again and again, takes a third of the time of reading and
    counting them. Not for longer than some seconds: other threads make cycles meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

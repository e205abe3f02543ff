"""Blocking work in a thread that does not keep the process from ending."""

import asyncio
import contextlib
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def run_in_daemon_thread(function: Callable[[], T], name: str) -> asyncio.Future[T]:
    """What `function` returns or raises. A cancelled future does not stop it."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()

    def report(value: T | None, error: Exception | None) -> None:
        if ended.cancelled():
            return
        if error is None:
            ended.set_result(value)  # type: ignore[arg-type] # without an error there is a value
        else:
            ended.set_exception(error)

    def run() -> None:
        value, failure = None, None
        try:
            value = function()
        except Exception as error:
            failure = error
        # The loop is closed when the process ends.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(report, value, failure)

    Thread(target=run, daemon=True, name=name).start()
    return ended

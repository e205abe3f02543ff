"""Deadlines: of work that may not react to its cancellation, and of transactions."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class DeadlinePassed(TimeoutError):
    """A transaction was rolled back, because its deadline passed before the commit."""


# How often work that is past its deadline is cancelled again.
RETRY_CANCEL_S = 1.0
_pending_cancellations: set[asyncio.Task[None]] = set()


async def with_deadline(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The value of `work`. Raises TimeoutError after `seconds`, however long `work` takes to end.

    asyncio.timeout cancels once. In Python 3.11 `asyncio.wait_for`, which pools and drivers use, loses a cancellation
    that arrives together with its result, and the work would go on without a deadline. Here it is cancelled again
    until it ends.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            cancellation = asyncio.create_task(_cancel(task))
            _pending_cancellations.add(cancellation)
            cancellation.add_done_callback(_pending_cancellations.discard)
    if not task.done():
        raise TimeoutError
    return task.result()


async def _cancel(task: "asyncio.Task[Any]") -> None:
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=RETRY_CANCEL_S)
    if not task.cancelled():
        # No caller is left for its error; reading it prevents asyncio's warning.
        task.exception()

"""A deadline that holds even when what it is set for does not listen."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# How often what is past its deadline is told so again.
AGAIN_S = 1.0
_endings: set[asyncio.Task[None]] = set()


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The value of `work`. Raises TimeoutError after `seconds`, however long `work` takes to end.

    asyncio.timeout only asks: in Python 3.11 `asyncio.wait_for`, with which pools and drivers wait, loses a
    cancellation that comes together with its result, and the work goes on with no deadline. Here it is asked until it
    ends.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            ending = asyncio.create_task(_end(task))
            _endings.add(ending)
            ending.add_done_callback(_endings.discard)
    if not task.done():
        raise TimeoutError
    return task.result()


async def _end(task: "asyncio.Task[Any]") -> None:
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=AGAIN_S)
    if not task.cancelled():
        # Its error is nobody's any more; asked for, it is not complained about.
        task.exception()

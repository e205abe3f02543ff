"""One run of the same work at a time: callers that come while it runs share its result."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Work by key. A key is free again when its work has ended, with a result or an error."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Future[T]] = {}

    def __len__(self) -> int:
        return len(self._running)

    def __contains__(self, key: str) -> bool:
        return key in self._running

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run `work` once per key; concurrent callers share its result, or its error.

        A caller's cancellation does not cancel the work.
        """
        return await asyncio.shield(self.start(key, work))

    def start(self, key: str, work: Callable[[], Awaitable[T]]) -> asyncio.Future[T]:
        """Begin `work` in the background, unless work of this key is running: then the future of that."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.ensure_future(work())
            task.add_done_callback(lambda done: self._finish(key, done))
        return task

    def _finish(self, key: str, done: asyncio.Future[T]) -> None:
        del self._running[key]
        # asyncio logs an error that nobody has read, which is the case when every caller was cancelled.
        if not done.cancelled():
            done.exception()

    async def close(self) -> None:
        """Cancel what is running and wait until it has ended."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

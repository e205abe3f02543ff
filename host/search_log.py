"""What people search for: noted after they were answered, and known again while the next one types."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from datetime import UTC, datetime
from typing import Any

from domain import search
from domain.db import Database
from domain.errors import Unavailable

log = logging.getLogger("coursefront.searches")

# On the answer to a search: how it came about and how many results it had, such as "exact 12". Kept pages carry it too.
RESULTS = "X-Search-Results"
# Notes that wait for slow records; past it new ones are dropped, for a log is no reason to use up memory.
MOST_WAITING = 200
POPULAR_FRESH_S = 60.0
STOP_S = 1.0


class Searches:
    """`note` never makes anybody wait; what cannot be written is counted in `dropped`."""

    def __init__(self, db: Database):
        self._db = db
        self._tasks: set[asyncio.Task[None]] = set()
        self._popular: tuple[str, ...] = ()
        self._asked_at = float("-inf")
        self.noted = 0
        self.dropped = 0

    def note(self, query: str, told: str) -> None:
        """One row for a search that was answered; `told` is what its header RESULTS says."""
        if len(self._tasks) >= MOST_WAITING:
            self.dropped += 1
            return
        answer, _, results = told.partition(" ")
        self._start(self._write(query, int(results), answer))

    def popular(self) -> tuple[str, ...]:
        """Queries that find something, as they were asked a minute ago; fetched anew beside the question."""
        if time.monotonic() - self._asked_at > POPULAR_FRESH_S:
            self._asked_at = time.monotonic()
            self._start(self._refresh())
        return self._popular

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        """The last notes are still written."""
        yield
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_S)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, query: str, results: int, answer: str) -> None:
        try:
            await self._db.run(search.remember, search.cleaned(query), results, answer, datetime.now(UTC))
            self.noted += 1
        except Unavailable:
            self.dropped += 1
            log.warning("a query could not be noted: the records are away")

    async def _refresh(self) -> None:
        try:
            self._popular = tuple(await self._db.read(search.popular))
        except Unavailable:
            log.warning("popular queries could not be read: the records are away")

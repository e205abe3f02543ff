"""The log of search queries, written after the response, and the popular queries for suggestions."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from domain import search
from domain.database.database import Database
from domain.errors import ServiceUnavailable

log = logging.getLogger("coursefront.searches")

# Header of a search's response: how its results were found and how many, such as "exact 12". Cached pages have it too.
RESULTS = "X-Search-Results"
# Entries that wait for a slow database; past it new ones are dropped, so that the log cannot use up memory.
MAX_PENDING = 200
POPULAR_MAX_AGE_S = 60.0
STOP_S = 1.0


class SearchLog:
    """`record` never waits; entries that cannot be written are counted in `dropped`."""

    def __init__(self, db: Database):
        self._db = db
        self._tasks: set[asyncio.Task[None]] = set()
        self._popular: tuple[str, ...] = ()
        self._read_at = float("-inf")
        self.written = 0
        self.dropped = 0

    def record(self, query: str, results: str) -> None:
        """Log a search; `results` is the value of its header RESULTS."""
        if len(self._tasks) >= MAX_PENDING:
            self.dropped += 1
            return
        answer, _, count = results.partition(" ")
        self._start(self._write(query, int(count), answer))

    def popular(self) -> tuple[str, ...]:
        """Popular queries that have results, at most a minute old; an older list is renewed in the background."""
        if time.monotonic() - self._read_at > POPULAR_MAX_AGE_S:
            self._read_at = time.monotonic()
            self._start(self._refresh())
        return self._popular

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Entries that are being written at the end get STOP_S."""
        yield
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_S)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, query: str, results: int, answer: str) -> None:
        try:
            await self._db.write(search.log_query, search.clean(query), results, answer, datetime.now(UTC))
            self.written += 1
        except ServiceUnavailable:
            self.dropped += 1
            log.warning("a query was not logged: the database is unavailable")
        except Exception:
            self.dropped += 1
            log.exception("a query was not logged")

    async def _refresh(self) -> None:
        try:
            self._popular = tuple(await self._db.read(search.popular))
        except ServiceUnavailable:
            log.warning("popular queries were not read: the database is unavailable")
        except Exception:
            log.exception("popular queries were not read")


SEARCH_LOG = web.AppKey("searches", SearchLog)

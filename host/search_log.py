"""The log of search queries, written after the response, and the popular queries for suggestions."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.search import query_log, tokenizer
from domain.search.query_log import LoggedQuery

log = logging.getLogger("coursefront.searches")

# Header of a search's response: how its results were found and how many, such as "exact 12". Cached pages have it too.
RESULTS = "X-Search-Results"
# Entries that wait for a slow database; past it new ones are dropped, so that the log cannot use up memory. At ten
# searches a second a database may be away for more than three minutes.
MAX_PENDING = 2_000
# Written together: one transaction for all that came while the one before was written.
BATCH = 200
RETRY_S = 1.0
POPULAR_MAX_AGE_S = 60.0
STOP_S = 1.0


class SearchLog:
    """`record` never waits. Entries wait while the database is away; those beyond MAX_PENDING, and those that still
    wait when the host stops, are counted in `dropped`. One that is written again, because the answer of the database
    was lost, is the same entry: it has an event id."""

    def __init__(self, db: Database):
        self._db = db
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: list[LoggedQuery] = []
        self._writer: asyncio.Task[None] | None = None
        self._popular: tuple[str, ...] = ()
        self._read_at = float("-inf")
        self.written = 0
        self.dropped = 0

    def record(self, query: str, results: str) -> None:
        """Log a search; `results` is the value of its header RESULTS."""
        if len(self._waiting) >= MAX_PENDING:
            self.dropped += 1
            return
        answer, _, count = results.partition(" ")
        self._waiting.append(LoggedQuery(tokenizer.clean(query), int(count), answer, datetime.now(UTC)))
        if self._writer is None or self._writer.done():
            self._writer = self._start(self._write_all())

    def popular(self) -> tuple[str, ...]:
        """Popular queries that have results, at most a minute old; an older list is renewed in the background."""
        if time.monotonic() - self._read_at > POPULAR_MAX_AGE_S:
            self._read_at = time.monotonic()
            self._start(self._refresh())
        return self._popular

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Entries that wait at the end get STOP_S."""
        yield
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOP_S)
            for task in late:
                task.cancel()
        if self._waiting:
            self.dropped += len(self._waiting)
            log.warning("%d queries were not logged: the database was away until the end", len(self._waiting))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _write_all(self) -> None:
        is_away = False
        while self._waiting:
            batch = self._waiting[:BATCH]
            try:
                await self._db.write(query_log.log_queries, batch)
                self.written += len(batch)
            except ServiceUnavailable:
                if not is_away:
                    log.warning("queries wait to be logged: the database is unavailable")
                is_away = True
                await asyncio.sleep(RETRY_S)
                continue
            except Exception:
                self.dropped += len(batch)
                log.exception("%d queries were not logged", len(batch))
            is_away = False
            del self._waiting[: len(batch)]

    async def _refresh(self) -> None:
        try:
            self._popular = tuple(await self._db.read(query_log.popular))
        except ServiceUnavailable:
            log.warning("popular queries were not read: the database is unavailable")
        except Exception:
            log.exception("popular queries were not read")


SEARCH_LOG = web.AppKey("searches", SearchLog)

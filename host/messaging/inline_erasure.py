"""Erases persons from old documents in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from sqlalchemy.exc import InterfaceError, OperationalError

from domain.database.database import Database
from domain.documents import erasure
from host.resilience.background_loop import BackgroundLoop
from host.resilience.daemon_thread import run_in_daemon_thread

log = logging.getLogger("coursefront.documents")

EVERY_S = 3600.0


class InlineErasure:
    """At the start and then hourly. Several hosts may do so: an erased order is not found again."""

    def __init__(self, database: Database, keep_years: int):
        self._database, self._keep_years = database, keep_years
        self.loop = BackgroundLoop("erasing old documents", self._iterate)

    async def _iterate(self) -> None:
        try:
            await asyncio.shield(run_in_daemon_thread(self.erase, "erasure"))
        except (OperationalError, InterfaceError) as error:
            log.info("old documents wait for the database: %s", error.orig)
        await asyncio.sleep(EVERY_S)

    def erase(self) -> None:
        before = erasure.years_before(datetime.now(UTC), self._keep_years)
        while erased := self._database.write_sync(erasure.erase_old, before):
            log.info("orders of old documents erased: %d", erased)

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()

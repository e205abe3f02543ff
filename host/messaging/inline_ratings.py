"""Counts the stars of courses in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import asyncio
import logging
from collections.abc import AsyncIterator

from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.learning import reviews
from host.resilience.background_loop import BackgroundLoop

log = logging.getLogger("coursefront.reviews")

# As often as beat sends the task to workers: each run that counts something empties the cache of pages.
EVERY_S = 60.0


class InlineRatings:
    """Several hosts may do so: what one has counted, the others do not find."""

    def __init__(self, database: Database):
        self._database = database
        self.loop = BackgroundLoop("counting stars", self._iterate)

    async def _iterate(self) -> None:
        await asyncio.sleep(EVERY_S)
        try:
            await self._database.write(reviews.update_ratings)
        except ServiceUnavailable:
            log.info("stars are counted when the database is back")

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        self.loop.start()
        yield
        await self.loop.stop()

"""Looks at sightings of crawlers in this process, when there is no broker and so no worker (REDIS_URL=none)."""

import logging
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from adapters import crawler_checks
from contracts.tasks import PERIODIC, Task
from domain.crawlers.verification import NameService
from domain.database.database import Database
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread
from host.visits.crawler_watch import CrawlerWatch

log = logging.getLogger("coursefront.crawlers")

EVERY_S = PERIODIC[Task.VERIFY_CRAWLERS].every_s


class InlineCrawlers(WokenPart):
    """Each host looks at what it has seen. `name_server`: as of DnsNames; `visits_keep_days`: 0 = for ever."""

    tasks = (Task.VERIFY_CRAWLERS,)

    def __init__(
        self,
        database: Database,
        watch: CrawlerWatch,
        name_server: tuple[str, int] | None,
        visits_keep_days: int,
        *,
        asks_names: bool,
    ):
        self._database, self._watch, self._keep_days = database, watch, visits_keep_days
        self._name_server, self._asks_names = name_server, asks_names
        self._names: NameService | None = None
        self._thread = WokenThread("checks of crawlers")
        self.loop = BackgroundLoop("checking crawlers", self._iterate)

    async def _iterate(self) -> None:
        try:
            await self._thread.turn(EVERY_S, self._look)
        except (SQLAlchemyError, OSError) as error:
            log.info("addresses of crawlers are looked at later: %s", error)

    def _look(self) -> None:
        names = self._name_service()
        if sightings := self._watch.take(crawler_checks.BATCH):
            self._watch.give_back(crawler_checks.look_at(self._database, sightings, names))
        crawler_checks.delete_old(self._database, self._keep_days, datetime.now(UTC))

    def _name_service(self) -> NameService | None:
        if self._asks_names and self._names is None:
            # It takes 80 ms, which a host that asks nothing need not spend at its start.
            from adapters.crawler_names import DnsNames

            self._names = DnsNames(self._name_server)
        return self._names

"""Computes days of visits, sales and credits in this process, when there is no broker and so no worker
(REDIS_URL=none)."""

import logging
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from contracts.tasks import PERIODIC, Task
from domain.attribution.rules import AttributionRules
from domain.database.database import Database
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.warehouse import Warehouse
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenPart, WokenThread

log = logging.getLogger("coursefront.rollups")

EVERY_S = PERIODIC[Task.ROLLUP_VISITS].every_s


class InlineRollups(WokenPart):
    """Several hosts may do so: the lease of a day of visits decides, and the version of a day of sales or credits."""

    tasks = (Task.ROLLUP_VISITS, Task.ROLLUP_SALES, Task.ROLLUP_CREDITS)

    def __init__(
        self,
        database: Database,
        rules: DayRules,
        attribution: AttributionRules,
        periods: Periods,
        warehouse: Warehouse,
    ):
        self._visits = DayBuilder(database, rules, lambda: datetime.now(UTC), files=warehouse)
        self._upkeep = WarehouseUpkeep(database, warehouse, rules, periods, lambda: datetime.now(UTC))
        self._sales = SaleDayBuilder(database, rules, lambda: datetime.now(UTC))
        self._credits = CreditDayBuilder(database, rules, lambda: datetime.now(UTC), attribution)
        self._thread = WokenThread("rollups")
        self.loop = BackgroundLoop("computing days of visits", self._iterate)

    async def _iterate(self) -> None:
        try:
            await self._thread.turn(EVERY_S, self._build_due)
        except SQLAlchemyError as error:
            log.info("days of visits, sales and credits wait for the database: %s", error)

    def _build_due(self) -> None:
        try:
            self._sales.build_due()
        finally:
            self._visits.build_due()
            self._upkeep.run()
        # Paths are of the touchpoints of these days.
        self._credits.build_due()

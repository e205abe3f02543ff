"""The demo's days of visits, sales and credits, computed at once instead of a minute after the start of a site."""

import asyncio
from datetime import UTC, datetime

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.visits.days.build import DayBuilder
from host.warehouse import warehouse_of
from tests.support.site import Site
from tests.support.waiting import until

# Four months have 120 days.
COMPUTED = "SELECT count(*) FROM visit_rollups WHERE built_at IS NOT NULL AND dirty_at IS NULL"


async def compute_days(site: Site) -> None:
    """Returns when they are computed, by whomever: the site may have begun with them."""
    await asyncio.to_thread(_compute, site)
    await until(lambda: _are_computed(site), every_s=0.2)


def _are_computed(site: Site) -> bool:
    return site.query(COMPUTED)[0][0] >= 119


def _compute(site: Site) -> None:
    settings = Settings.from_environment(site.environment)
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    about = (database, settings.day_rules, lambda: datetime.now(UTC))
    DayBuilder(*about, files=warehouse_of(settings)).build_due()
    SaleDayBuilder(*about).build_due()
    CreditDayBuilder(*about, settings.attribution).build_due()
    database.engine.dispose()

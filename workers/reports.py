"""reports.rollup and reports.rollup_sales: compute the days of visits and of sales that are due."""

import logging
from datetime import UTC, datetime
from functools import lru_cache

from sqlalchemy.exc import SQLAlchemyError

from config.worker_settings import WorkerSettings
from contracts.tasks import Task
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.warehouse import Warehouse
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.visits.days.build import DayBuilder
from workers import metrics
from workers.app import database, task

log = logging.getLogger("coursefront.workers.reports")


@lru_cache(1)
def warehouse() -> Warehouse:
    """The files of days on this machine."""
    settings = WorkerSettings.from_environment()
    reports = settings.reports
    return Warehouse(reports.analytics_folder_in(settings.var_dir), reports.duckdb_memory_mb)


@lru_cache(1)
def _upkeep() -> WarehouseUpkeep:
    reports = WorkerSettings.from_environment().reports
    return WarehouseUpkeep(database(), warehouse(), reports.day_rules, reports.periods, lambda: datetime.now(UTC))


# Acknowledged early: beat asks again anyway.
@task(Task.ROLLUP_VISITS, acks_late=False)
def rollup_visits() -> None:
    """Days that have changed, then today; then the files of days are put in order."""
    rules, files = WorkerSettings.from_environment().reports.day_rules, warehouse()
    failed = files.failures
    try:
        count = DayBuilder(database(), rules, lambda: datetime.now(UTC), files=files).build_due()
        _upkeep().run()
    except SQLAlchemyError as error:
        log.warning("days of visits wait for the next run: %s", error)
    else:
        log.info("days of visits computed: %d", count)
    metrics.count("day_files_failed", files.failures - failed)


# Acknowledged early, as `rollup_visits`.
@task(Task.ROLLUP_SALES, acks_late=False)
def rollup_sales() -> None:
    """Days whose orders have changed."""
    rules = WorkerSettings.from_environment().reports.day_rules
    try:
        count = SaleDayBuilder(database(), rules, lambda: datetime.now(UTC)).build_due()
    except SQLAlchemyError as error:
        log.warning("days of sales wait for the next run: %s", error)
    else:
        log.info("days of sales computed: %d", count)

"""reports.rollup and reports.rollup_sales: compute the days of visits and of sales that are due."""

import logging
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from config.worker_settings import WorkerSettings
from contracts.tasks import Task
from domain.reports.sale_builder import SaleDayBuilder
from domain.visits.days.build import DayBuilder
from workers.app import database, task

log = logging.getLogger("coursefront.workers.reports")


# Acknowledged early: beat asks again anyway.
@task(Task.ROLLUP_VISITS, acks_late=False)
def rollup_visits() -> None:
    """Days that have changed, then today."""
    rules = WorkerSettings.from_environment().reports.day_rules
    try:
        count = DayBuilder(database(), rules, lambda: datetime.now(UTC)).build_due()
    except SQLAlchemyError as error:
        log.warning("days of visits wait for the next run: %s", error)
    else:
        log.info("days of visits computed: %d", count)


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

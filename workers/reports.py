"""reports.rollup, reports.rollup_sales, reports.rollup_credits: compute the days of visits, of sales and of credits
that are due."""

import logging
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from config.worker_settings import WorkerSettings
from contracts.tasks import Task
from domain.reports.attribution.credit_builder import CreditDayBuilder
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


# Acknowledged early, as `rollup_visits`.
@task(Task.ROLLUP_CREDITS, acks_late=False)
def rollup_credits() -> None:
    """Days whose orders have changed, and those whose paths are not closed."""
    reports = WorkerSettings.from_environment().reports
    builder = CreditDayBuilder(database(), reports.day_rules, lambda: datetime.now(UTC), reports.attribution)
    try:
        count = builder.build_due()
    except SQLAlchemyError as error:
        log.warning("days of credits wait for the next run: %s", error)
    else:
        log.info("days of credits computed: %d", count)

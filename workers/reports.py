"""reports.rollup, reports.rollup_sales, reports.rollup_credits: compute the days of visits, of sales and of credits
that are due. reports.run: figures from the files of days, which a host waits for (docs/contracts.md, "rpc")."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from config.worker_settings import WorkerSettings
from contracts.payloads import Pong, ReportFigures, RunReport, deadline_of, decode, encode
from contracts.tasks import Task
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports import filed_figures
from domain.reports.visit_reports.filed_figures import FigureRequest
from domain.reports.warehouse import Warehouse, WarehouseUnavailable
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.visits.days.build import DayBuilder
from workers import metrics
from workers.app import database, task
from workers.coupon_checks import send_reply

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


# Acknowledged when it is received: a lost call is asked again by whoever waits for it.
@task(Task.RUN_REPORT, bind=True, acks_late=False)
def run_report(task: Any, **arguments: Any) -> None:
    """Errors of the files are a reply: the worker itself is well."""
    try:
        call = decode(RunReport, arguments)
        if deadline_of(call, datetime.now(UTC)) <= datetime.now(UTC):
            metrics.count("calls_late", task=str(call.task))
            return
        figures = ReportFigures(rows=_figures([filed_figures.from_wire(wire) for wire in call.requests]))
    except WarehouseUnavailable as error:
        figures = ReportFigures(error=str(error))
    except Exception as error:
        log.warning("%s failed: %s", Task.RUN_REPORT, type(error).__name__)
        send_reply(task, error=type(error).__name__)
        return
    send_reply(task, answer=encode(figures))


def _figures(requests: Sequence[FigureRequest]) -> list[Any]:
    """Raises WarehouseUnavailable. A file that was deleted since the list was read is in no list of now."""
    for is_last in (False, True):
        with database().read_session() as session:
            lists = filed_figures.current_lists(session)
        try:
            found = filed_figures.read(warehouse(), lists, requests)
        except WarehouseUnavailable:
            if is_last:
                raise
        else:
            return [filed_figures.rows_to_wire(found[request]) for request in requests]
    raise AssertionError("unreachable")


@task(Task.PING_REPORTS, bind=True, acks_late=False)
def ping_reports(task: Any, **_arguments: Any) -> None:
    """Reply at once: a worker serves reports."""
    send_reply(task, answer=encode(Pong(at=datetime.now(UTC).isoformat())))

"""Tasks that beat sends at fixed intervals (adapters/periodic.py), and the nightly check of the audit events."""

import logging

import celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from adapters import audit_check, periodic
from adapters.periodic import Means
from config.worker_settings import WorkerSettings
from contracts.tasks import TASKS, Task
from workers.app import app, database, task
from workers.reports import warehouse

log = logging.getLogger("coursefront.workers.periodic")


def run(name: Task) -> None:
    settings = WorkerSettings.from_environment()
    keep_years = settings.documents.documents_keep_years
    days = (settings.outbox_keep_days, settings.dead_letters_keep_days, keep_years)
    reports = settings.reports
    rules = (reports.day_rules, reports.periods, reports.report_k)
    means = Means(database(), settings.files_folder, *days, *rules, warehouse())
    periodic.run(name, means)


def run_called(called: celery.Task) -> None:
    """The function of all these tasks: the name of the called one says which work is meant."""
    run(TASKS[called.name])


for _name in periodic.WORK:
    task(_name, bind=True)(run_called)


@task(Task.VERIFY_AUDIT)
def verify_audit(after: int = 0) -> None:
    """Check the events after the number `after`; the next slice is a task of its own."""
    try:
        if (checked := audit_check.check_slice(database(), after)) is not None:
            app.send_task(str(Task.VERIFY_AUDIT), args=[checked], queue=str(Task.VERIFY_AUDIT.queue), retry=False)
    except (SQLAlchemyError, KombuError, RedisError, OSError) as error:
        log.warning("the record of changes is checked in the next night: %s", error)

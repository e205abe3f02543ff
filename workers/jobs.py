"""Slices of jobs of staff. A slice that has worked sends the next one; beat begins what waits, also after a worker was
killed."""

import logging
from functools import lru_cache

from kombu.exceptions import KombuError
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError

from adapters.job_kinds import IMAGE_KINDS, KEPT_KINDS, kinds
from adapters.jobs import JobRunner
from config.worker_settings import WorkerSettings
from contracts.tasks import Task
from workers.app import app, database, task

log = logging.getLogger("coursefront.workers.jobs")


@task(Task.RUN_JOBS)
def run_jobs() -> None:
    """A slice of the oldest job that nobody works at."""
    _run(Task.RUN_JOBS, _runner(is_for_images=False))


@task(Task.CONVERT_IMAGES)
def convert_images() -> None:
    """The oldest picture that nobody works at."""
    _run(Task.CONVERT_IMAGES, _runner(is_for_images=True))


@lru_cache(2)
def _runner(*, is_for_images: bool) -> JobRunner:
    settings = WorkerSettings.from_environment()
    all_kinds = kinds(settings.files_folder, settings.shop.currency, settings.orders)
    own = {name: kind for name, kind in all_kinds.items() if (name in IMAGE_KINDS) is is_for_images}
    return JobRunner(database(), own, KEPT_KINDS)


def _run(task_name: Task, runner: JobRunner) -> None:
    try:
        has_worked = runner.run_slice()
    except (OperationalError, InterfaceError) as error:
        log.warning("jobs wait for the database: %s", error)
        return
    if has_worked:
        _send_next(task_name)


def _send_next(task_name: Task) -> None:
    try:
        app.send_task(str(task_name), queue=str(task_name.queue), retry=False)
    except (KombuError, RedisError, OSError) as error:
        log.info("beat sends the next slice: %s", error)

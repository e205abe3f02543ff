"""Slices of jobs of staff. A slice that has worked sends the next one; beat begins what waits, also after a worker was
killed."""

import logging
from datetime import UTC, datetime
from functools import lru_cache

from kombu.exceptions import KombuError
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from adapters.job_kinds import kinds
from adapters.jobs import JobRunner
from config.worker_settings import WorkerSettings
from contracts.tasks import QUEUE_OF, Task
from domain import uploads
from workers.app import app, database, task

log = logging.getLogger("coursefront.workers.jobs")


@task(Task.RUN_JOBS)
def run_jobs() -> None:
    """A slice of the oldest job that nobody works at."""
    try:
        has_worked = _runner().run_slice()
    except (OperationalError, InterfaceError) as error:
        log.warning("jobs wait for the database: %s", error)
        return
    if has_worked:
        _send_next()


@task(Task.DELETE_EXPIRED_UPLOADS)
def delete_expired_uploads() -> None:
    """Here, as only this worker has the folder of the hosts."""
    folder, at = WorkerSettings.from_environment().files_folder, datetime.now(UTC)
    try:
        with database().read_session() as session:
            ids = uploads.expired(session, at)
        for upload_id in ids:
            if database().write_sync(uploads.forget, [upload_id], at):
                uploads.path_of(folder, upload_id).unlink(missing_ok=True)
    except (SQLAlchemyError, OSError) as error:
        log.warning("expired uploads are deleted at the next run: %s", error)


@lru_cache(1)
def _runner() -> JobRunner:
    settings = WorkerSettings.from_environment()
    return JobRunner(database(), kinds(settings.files_folder, settings.shop.currency))


def _send_next() -> None:
    try:
        app.send_task(str(Task.RUN_JOBS), queue=str(QUEUE_OF[Task.RUN_JOBS]), retry=False)
    except (KombuError, RedisError, OSError) as error:
        log.info("beat sends the next slice: %s", error)

"""The Celery application of the workers, set up so that no message is lost (docs/decisions/0005)."""

import gc
import pkgutil
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from celery import Celery
from celery.platforms import SecurityWarning
from celery.schedules import crontab
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
)
from redis import Redis

from adapters import telemetry
from adapters.traced_database import TracedDatabase
from config import defaults, logs
from config.environment import SettingError
from config.worker_settings import WorkerSettings, redis_url
from contracts.tasks import PERIODIC, SENT_AT, Period, Queue, Task
from domain import fault_points
from domain.database.database import Database, database_url
from domain.locales import set_shop_locale
from workers import beat_thread, metrics, tracing

try:
    SETTINGS = WorkerSettings.from_environment()
except SettingError as error:
    raise SystemExit(f"The worker cannot start: {error}") from None
# A shorter timeout, as in the tests of faults, needs more frequent runs.
OVERDUE_EVERY_S = SETTINGS.visibility_timeout_s / 2
# As in the host: new objects before the youngest are collected. A transaction of visits makes some ten thousand.
COLLECT_AFTER = 10_000
REDIS_TIMEOUT_S = 2.0


def _transport() -> dict[str, Any]:
    return {
        "visibility_timeout": SETTINGS.visibility_timeout_s,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        # The worker that restores messages holds a lock; if it dies, the default of 5 minutes would delay them.
        "unacked_mutex_expire": 5,
        "socket_timeout": 5.0,
        "socket_connect_timeout": 1.0,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }


def _beat() -> dict[str, dict[str, Any]]:
    """A message expires after its period: the next one does the same work."""
    return {str(name): {"task": str(name), **_schedule(name, period)} for name, period in PERIODIC.items()}


def _schedule(name: Task, period: Period) -> dict[str, Any]:
    if period.at is not None:
        return {"schedule": crontab(hour=str(period.at.hour), minute=str(period.at.minute))}
    every_s = min(period.every_s, OVERDUE_EVERY_S) if name is Task.STORE_OVERDUE_VISITS else period.every_s
    return {"schedule": every_s, "options": {"expires": every_s}}


set_shop_locale(SETTINGS.locale)
# Celery warns of running as root because of pickled messages; these are JSON only.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("coursefront", broker=defaults.celery_broker_url(SETTINGS.redis_url))
app.conf.update(
    # Modules of tasks register them on import.
    include=[f"workers.{module.name}" for module in pkgutil.iter_modules([str(Path(__file__).parent)])],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_acks_on_failure_or_timeout=True,
    task_time_limit=20,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_hijack_root_logger=False,
    timezone="UTC",
    broker_transport_options=_transport(),
    task_default_queue=str(Queue.VISITS),
    task_routes={str(task): {"queue": str(task.queue)} for task in Task},
    beat_schedule=_beat(),
)
beat_thread.add_option(app)


def task(name: Task, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Register a function as the task of this name."""
    register: Callable[[Callable[..., Any]], Any] = app.task(name=str(name), **options)
    return register


_database: Database | None = None


def database() -> Database:
    """The database, opened by the process that uses it: connections do not survive a fork."""
    global _database  # noqa: PLW0603 one per worker process
    if _database is None:
        settings = WorkerSettings.from_environment()
        url = database_url(settings.database, settings.var_dir)
        database_class = TracedDatabase if telemetry.is_enabled() else Database
        _database = database_class(url, deadline_s=10, busy_ms=10_000)
    return _database


def redis() -> Redis:
    """This process's connections to Redis; after a fork redis-py opens new ones."""
    return _redis_at(redis_url(), is_text=True)


def redis_of_bytes() -> Redis:
    """This process's connections to Redis for values that need not be UTF-8."""
    return _redis_at(redis_url(), is_text=False)


@lru_cache(2)
def _redis_at(url: str, *, is_text: bool) -> Redis:
    return Redis.from_url(url, socket_timeout=REDIS_TIMEOUT_S, socket_connect_timeout=1, decode_responses=is_text)


@before_task_publish.connect
def _note_time(headers: dict[str, Any], **_details: Any) -> None:
    """Write the time into messages that beat sends; the host writes it too."""
    headers.setdefault(SENT_AT, time.time())


@setup_logging.connect
def _configure_logs(**_options: Any) -> None:
    """In place of Celery's own configuration and of its option --loglevel."""
    logs.configure(SETTINGS.log_level, SETTINGS.log_format, access="off")


@task_prerun.connect
def _log_as_request(task: Any, **_details: Any) -> None:
    """Lines of a task carry the ids of the request that sent it, from the headers of its message."""
    headers = task.request
    logs.REQUEST_IDS.set(logs.RequestIds(headers.get("request_id") or "", headers.get("trace_id") or ""))


@task_postrun.connect
def _log_as_nobody(**_details: Any) -> None:
    logs.REQUEST_IDS.set(logs.NO_REQUEST)


@worker_init.connect
def _arm_fault_point(**_details: Any) -> None:
    fault_points.arm(SETTINGS.kill_at)


@worker_init.connect
def _observe(**_details: Any) -> None:
    if SETTINGS.metrics_port:
        metrics.enable(SETTINGS)
    if SETTINGS.otel_endpoint:
        tracing.enable(SETTINGS.otel_endpoint)


# Celery sends the first signal in each process of a pool, and none for a pool of threads: its process is the worker's.
@worker_process_init.connect
@worker_ready.connect
def freeze_startup_objects(**_details: Any) -> None:
    """They live as long as the process of the pool: collections that looked at them took a third of storing visits."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


@worker_process_shutdown.connect
def _close(**_details: Any) -> None:
    if _database is not None:
        _database.engine.dispose()
    telemetry.disable()

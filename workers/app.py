"""The Celery application of the workers: settings that lose nothing (docs/decisions/0005)."""

import os
import warnings
from pathlib import Path
from typing import Any

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import worker_process_shutdown

from domain.db import Database, database_url

# The host looks for it in /readyz.
HEARTBEAT_KEY = "coursefront:worker"
HEARTBEAT_EVERY_S = 10.0
SWEEP_EVERY_S = 5.0
FREE_EVERY_S = 60.0
MAIL_EVERY_S = 3.0
# A batch whose worker died is handed out again after this; tasks end well before it.
VISIBILITY_TIMEOUT_S = int(os.environ.get("VISIBILITY_TIMEOUT_S", "60"))


def _broker(url: str) -> str:
    return url.replace("unix://", "redis+socket://", 1)


def _transport() -> dict[str, Any]:
    return {
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        # Whoever looks for such batches holds a lock; dying with it, or losing Redis, must not keep them for 5 minutes.
        "unacked_mutex_expire": 5,
        "socket_timeout": 5.0,
        "socket_connect_timeout": 1.0,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }


# It warns of root because of pickled messages; ours are JSON only, and a first start should say one line.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("coursefront", broker=_broker(os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0")))
app.conf.update(
    include=["workers.visits", "workers.health", "workers.coupons", "workers.mail"],
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
    task_default_queue="visits",
    task_routes={
        "visits.*": {"queue": "visits"},
        "health.*": {"queue": "health"},
        # Somebody waits for these: they never stand behind a batch of visits.
        "coupons.sweep": {"queue": "health"},
        "coupons.*": {"queue": "coupons"},
        "mail.*": {"queue": "mail"},
    },
    beat_schedule={
        "heartbeat": {
            "task": "health.beat",
            "schedule": HEARTBEAT_EVERY_S,
            # One that waited in the queue says nothing about now.
            "options": {"expires": HEARTBEAT_EVERY_S},
        },
        "sweep": {
            "task": "visits.sweep",
            "schedule": SWEEP_EVERY_S,
            "options": {"expires": SWEEP_EVERY_S},
        },
        "free": {
            "task": "coupons.sweep",
            "schedule": FREE_EVERY_S,
            "options": {"expires": FREE_EVERY_S},
        },
        "mail": {
            "task": "mail.sweep",
            "schedule": MAIL_EVERY_S,
            "options": {"expires": MAIL_EVERY_S},
        },
    },
)

_database: Database | None = None


def database() -> Database:
    """The records, opened by the process that uses them: connections do not survive a fork."""
    global _database  # noqa: PLW0603 one per worker process
    if _database is None:
        folder = Path(os.environ.get("VAR_DIR", "var")).resolve()
        url = database_url(os.environ.get("DATABASE_URL"), folder)
        _database = Database(url, deadline_s=10, busy_ms=10_000)
    return _database


@worker_process_shutdown.connect
def _close(**_about: Any) -> None:
    if _database is not None:
        _database.engine.dispose()

"""worker.heartbeat: sent by beat, run by a worker; its time in Redis shows that both are running. A worker also writes
one when it starts."""

import time
from typing import Any

from celery.signals import worker_ready

from contracts.redis_keys import HEARTBEAT, HEARTBEAT_MAX_AGE_S
from contracts.tasks import Task
from workers.app import redis, task


@task(Task.HEARTBEAT)
def heartbeat() -> None:
    """Write the current time."""
    redis().set(HEARTBEAT, repr(time.time()), ex=int(HEARTBEAT_MAX_AGE_S))


@worker_ready.connect
def _first_heartbeat(**_details: Any) -> None:
    heartbeat()

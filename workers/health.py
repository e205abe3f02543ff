"""health.beat: sent by beat, carried out by a worker; its trace in Redis shows that both live. A worker that has just
come up leaves one at once."""

import os
import time
from typing import Any

from celery.signals import worker_ready
from redis import Redis

from workers.app import HEARTBEAT_EVERY_S, HEARTBEAT_KEY, app


@app.task(name="health.beat")
def beat() -> None:
    redis = Redis.from_url(os.environ["REDIS_URL"], socket_timeout=2, socket_connect_timeout=1)
    try:
        redis.set(HEARTBEAT_KEY, repr(time.time()), ex=int(HEARTBEAT_EVERY_S * 3))
    finally:
        redis.close()


@worker_ready.connect
def _first_beat(**_about: Any) -> None:
    beat()

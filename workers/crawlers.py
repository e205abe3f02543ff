"""crawlers.verify: finds out whether addresses of crawlers belong to the operators that their headers name."""

import logging
import time
from datetime import UTC, datetime
from functools import lru_cache

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from adapters import crawler_checks, crawler_sightings
from config.worker_settings import WorkerSettings
from contracts.tasks import Task
from domain.crawlers.verification import NameService
from workers.app import database, redis_of_bytes, task

log = logging.getLogger("coursefront.workers.crawlers")


# Acknowledged early: beat asks again anyway.
@task(Task.VERIFY_CRAWLERS, acks_late=False)
def verify_crawlers() -> None:
    """Some of the addresses that wait. What a killed worker had taken is asked again when its crawler comes again."""
    settings = WorkerSettings.from_environment()
    try:
        if not crawler_sightings.lock(redis_of_bytes()):
            return
        try:
            sightings = crawler_sightings.take(redis_of_bytes(), crawler_checks.BATCH)
            left = crawler_checks.look_at(database(), sightings, _names() if settings.crawlers.asks_names else None)
            crawler_sightings.add(redis_of_bytes(), crawler_checks.may_be_handed_back(left, time.time()))
        finally:
            crawler_sightings.unlock(redis_of_bytes())
    except (SQLAlchemyError, RedisError, OSError) as error:
        log.warning("addresses of crawlers are looked at by the next run: %s", error)
    crawler_checks.delete_old(database(), settings.reports.visits_keep_days, datetime.now(UTC))


@lru_cache(1)
def _names() -> NameService:
    # It takes 80 ms, which workers of other queues need not spend at their start.
    from adapters.crawler_names import DnsNames

    return DnsNames(WorkerSettings.from_environment().crawlers.name_server)

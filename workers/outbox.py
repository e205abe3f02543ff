"""Handles the rows of one topic of the outbox (adapters/outbox.py). Every topic has a task of its own, so that a
service that is slow or down delays no other topic.

Two workers may handle a topic at once: the lease of a row decides. The lock of a topic in Redis only saves workers for
other tasks; it is short, so that the rows of a killed worker's topic wait for a few seconds.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from uuid import uuid4

from redis.exceptions import RedisError

from adapters.outbox import PAUSE_S, Handlers, S, handle_rows, has_due
from contracts.redis_keys import TOPIC_LOCK, TOPIC_PAUSE
from contracts.tasks import Topic
from domain.outbox.errors import ServiceDown
from workers import metrics
from workers.app import database, redis

log = logging.getLogger("coursefront.workers.outbox")

LOCK_S = 5.0
# Only the owner of a lock may remove it.
_UNLOCK = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


def run(topic: Topic, open_service: Callable[[], AbstractContextManager[S]], handlers: Handlers[S]) -> int:
    """Handle due rows of the kinds in `handlers`, unless another worker does. Returns how many are done."""
    if not has_due(database(), topic, handlers):
        return 0
    with _locked(topic) as is_mine:
        if not is_mine or redis().exists(TOPIC_PAUSE + topic):
            return 0
        try:
            with open_service() as service:
                return handle_rows(database(), topic, service, handlers, _count)
        except ServiceDown as error:
            log.warning("topic %s pauses for %g s: %s", topic, PAUSE_S, error)
            redis().set(TOPIC_PAUSE + topic, str(error), px=int(PAUSE_S * 1000))
            return 0


def _count(topic: Topic, outcome: str) -> None:
    metrics.count("outbox_rows", topic=str(topic), outcome=outcome)


@contextmanager
def _locked(topic: Topic) -> Iterator[bool]:
    """Whether this run handles the topic. The lock of a killed worker expires after LOCK_S."""
    token = uuid4().hex
    is_mine = bool(redis().set(TOPIC_LOCK + topic, token, nx=True, px=int(LOCK_S * 1000)))
    try:
        yield is_mine
    finally:
        if is_mine:
            with suppress(RedisError, OSError):
                redis().eval(_UNLOCK, 1, TOPIC_LOCK + topic, token)

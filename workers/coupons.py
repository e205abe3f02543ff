"""Questions about codes: one task for each, answered on the channel of the host that asks (docs/wire.md, "questions").

Nothing is lost when one is: the host that waited in vain answers itself. So a message is acknowledged when it is taken,
never handed out again, and not looked at when its time is over.
"""

import json
import logging
import os
from datetime import UTC, datetime
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from domain import cart, coupons, sessions
from domain.cart.answers import QUESTIONS, READING
from workers.app import app, database

log = logging.getLogger("coursefront.workers.coupons")

_redis: Redis | None = None


def _connection() -> Redis:
    """Opened by the process that uses it: connections do not survive a fork."""
    global _redis  # noqa: PLW0603 one per worker process
    if _redis is None:
        _redis = Redis.from_url(os.environ["REDIS_URL"], socket_timeout=1, socket_connect_timeout=1)
    return _redis


def _reply(task: Any, **said: Any) -> None:
    try:
        _connection().publish(task.request.reply_to, json.dumps({"id": task.request.id, **said}))
    except (RedisError, OSError) as error:
        log.info("an answer could not be sent: %s", error)


def answer(task: Any, name: str, given: dict[str, Any]) -> None:
    """Ask the rules and say what they said; what goes wrong is said too, so that the host waits for nothing."""
    try:
        if name in READING:
            with database().reading() as session:
                found = QUESTIONS[name](session, **given)
        else:
            found = database().carry_out(QUESTIONS[name], **given)
    except Exception as error:
        # Whatever it is: the host asks again in place, and meets it there with the visitor's request at hand.
        log.warning("%s could not be answered: %s", name, type(error).__name__)
        _reply(task, error=type(error).__name__)
    else:
        _reply(task, answer=found)


def _register(name: str) -> None:
    @app.task(name=name, bind=True, acks_late=False)
    def ask(task: Any, **given: Any) -> None:
        answer(task, name, given)


for _name in QUESTIONS:
    _register(_name)


@app.task(name="coupons.ping", bind=True, acks_late=False)
def ping(task: Any) -> None:
    """Are you there?"""
    _reply(task, answer={})


@app.task(name="coupons.sweep")
def sweep() -> None:
    """Holds that ran out are free again; carts and sign-ins whose time is over are forgotten."""
    now = datetime.now(UTC)
    try:
        freed = database().carry_out(coupons.free_expired, now)
        database().carry_out(cart.forget_guests, now)
        database().carry_out(sessions.forget_expired, now)
    except SQLAlchemyError as error:
        log.warning("the sweep waits for its next turn: %s", error)
    else:
        log.info("%d holds were free again", freed)

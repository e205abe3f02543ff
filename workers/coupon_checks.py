"""RPC calls about coupon codes: a task each, replied to on the channel of the calling host (docs/contracts.md, "rpc").

Losing a call is harmless: the host runs the function itself after its deadline. So a message is acknowledged when a
worker receives it and never redelivered. From the call's deadline on nothing is committed for it.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from redis.exceptions import RedisError

from contracts.payloads import RPC_CALLS, Pong, RpcCall, RpcReply, deadline_of, decode, encode
from contracts.tasks import Task
from domain.cart.coupon_checks import HANDLERS, READ_ONLY
from domain.database.deadline import DeadlinePassed
from workers import metrics
from workers.app import SETTINGS, database, redis, task

log = logging.getLogger("coursefront.workers.coupons")


def send_reply(task: Any, **outcome: Any) -> None:
    reply = RpcReply(id=task.request.id, **outcome)
    try:
        redis().publish(task.request.reply_to, json.dumps(encode(reply)))
    except (RedisError, OSError) as error:
        log.info("a reply could not be sent: %s", error)


def run_and_reply(task: Any, form: type[RpcCall], arguments: dict[str, Any]) -> None:
    """Run a call and publish its result. Errors are published too, so that the host does not wait for its deadline."""
    try:
        answer = _run(decode(form, arguments))
    except DeadlinePassed as error:
        metrics.count("calls_late", task=str(form.task))
        log.warning("%s was dropped, as its host runs it inline: its deadline has passed", form.task)
        send_reply(task, error=type(error).__name__)
    except Exception as error:
        # The host then runs the call inline, where errors are handled as part of the visitor's request.
        log.warning("%s failed: %s", form.task, type(error).__name__)
        send_reply(task, error=type(error).__name__)
    else:
        send_reply(task, answer=answer)


def _run(call: RpcCall) -> dict[str, Any]:
    deadline = deadline_of(call, datetime.now(UTC))

    def left_s() -> float:
        return (deadline - datetime.now(UTC)).total_seconds()

    if call.task not in READ_ONLY:
        return database().write_before(left_s, HANDLERS[call.task], call, SETTINGS.shop)
    if left_s() <= 0:
        raise DeadlinePassed
    with database().read_session() as session:
        return HANDLERS[call.task](session, call, SETTINGS.shop)


def _register(form: type[RpcCall]) -> None:
    @task(form.task, bind=True, acks_late=False)
    def run(task: Any, **arguments: Any) -> None:
        run_and_reply(task, form, arguments)


for _form in RPC_CALLS:
    _register(_form)


@task(Task.PING, bind=True, acks_late=False)
def ping(task: Any, **_arguments: Any) -> None:
    """Reply at once: the host checks that a worker is running and what its clock shows."""
    send_reply(task, answer=encode(Pong(at=datetime.now(UTC).isoformat())))

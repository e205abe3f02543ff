"""The site with one guard taken out: under the faults that the product survives it must break its promise.

`UNGUARDED=… python -m tests.faults.unguarded serve`, where … is
`acks`    a worker acknowledges a batch before it has stored it, and no batch is registered as pending;
`ledger`  batches are acknowledged after they were stored, as in the product, but none is registered as pending;
`answer`  the host answers 202 before a visit is safe;
`edition` a kept page stays valid when the catalogue moves;
`stale`   with the records away no kept page goes out.

With the first three the process in question kills itself, once, in the moment that the guard is there for:
`acks`    the worker, when it has taken a batch and not stored it;
`ledger`  the worker, when Redis has handed a batch over and the worker has not noted it;
`answer`  the host, when it has answered and still has the visit in memory alone.
"""

import os
import signal
import sys
from base64 import b64decode
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import Any

from aiohttp import web
from kombu.transport.redis import QoS, Transport

import host.__main__
from contracts.tasks import Task
from host.messaging.celery_sender import CelerySender
from host.messaging.visit_queue import VisitQueue
from host.page_cache import policy
from host.page_cache.entry import CachedPage
from host.page_cache.memory import PageCache
from host.site_state import SITE
from host.supervisor import programs
from workers.app import app

WITHOUT = os.environ["UNGUARDED"]
MODULE = "tests.faults.unguarded"

# In the addresses that the clients of a test post. The host stores visits of its own, such as those of probes.
POSTED = "/shop?n="
# More than the clients of a test: of so many visits in memory at least one was answered.
ANSWERED = 20


def _was_killed() -> bool:
    return _mark().exists()


def _mark() -> Path:
    return Path(os.environ["VAR_DIR"], "killed-once")


def _kill_once() -> None:
    """kill -9 of this process, unless one of this site died before."""
    with suppress(FileExistsError):
        _mark().touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)


def _is_batch(message: dict[str, Any]) -> bool:
    return message["headers"]["task"] == Task.STORE_VISITS and POSTED.encode() in b64decode(message["body"])


_deliver, _ack = Transport._deliver, QoS.ack


def _deliver_or_die(transport: Transport, message: dict[str, Any], queue: str) -> None:
    if _is_batch(message):
        _kill_once()
    _deliver(transport, message, queue)


def _ack_and_die(qos: QoS, delivery_tag: str) -> None:
    message = qos.get(delivery_tag)._raw
    _ack(qos, delivery_tag)
    if _is_batch(message):
        _kill_once()


def _store_afterwards(batch_id: str | None, payload: Any) -> int:
    """Stores nothing of the test's before the process was killed."""
    if POSTED in str(payload) and not _was_killed():
        sleep(60)
    count: int = _store(batch_id, payload)
    return count


# Celery imports this module as its application; the other two processes run it.
if WITHOUT == "acks":
    app.conf.task_acks_late = False
    # Tasks read the line above when they are imported.
    visits = import_module("workers.visits")
    _store, visits._store = visits._store, _store_afterwards
    QoS.ack = _ack_and_die
if WITHOUT == "ledger":
    Transport._deliver = _deliver_or_die

_enqueue = VisitQueue.enqueue
_in_memory: list[dict[str, Any]] = []


async def _answer_at_once(visit_queue: VisitQueue, row: dict[str, Any]) -> None:
    visit_queue.enqueue_nowait(row)


async def _hold_in_memory(visit_queue: VisitQueue, row: dict[str, Any]) -> None:
    if _was_killed():
        await _enqueue(visit_queue, row)
        return
    _in_memory.append(row)
    if len(_in_memory) >= ANSWERED:
        _kill_once()


def _take_guard_out() -> None:
    worker, web = programs.worker, programs.web
    programs.worker = lambda settings: _with(worker(settings), "workers.app", MODULE)
    programs.web = lambda settings, number: _with(web(settings, number), "host", MODULE)
    if WITHOUT in ("acks", "ledger"):
        # It still connects: a first connection later would look as if Redis had been away, and all would be sent again.
        CelerySender._register_pending = lambda sender, *_: sender._redis.ping()
    if WITHOUT == "answer":
        VisitQueue._enqueue_logged = _hold_in_memory
        VisitQueue.enqueue = _answer_at_once
    if WITHOUT == "edition":
        CachedPage.is_valid = lambda *_: True
    if WITHOUT == "stale":
        policy.cached_response = _find_while_fresh
        PageCache.get_any = lambda *_: None
        PageCache.get_or_load = _nothing


async def _nothing(*_: object) -> None:
    return None


_find = policy.cached_response


def _find_while_fresh(request: web.Request) -> web.Response | None:
    return _find(request) if request.app[SITE].is_fresh else None


def _with(program: programs.Program, word: str, other: str) -> programs.Program:
    return replace(program, command=tuple(other if argument == word else argument for argument in program.command))


if __name__ == "__main__":
    _take_guard_out()
    sys.exit(host.__main__.main())

"""The site with one guard taken out: under the faults that the product survives it must break its promise.

`UNGUARDED=… python -m tests.faults.unguarded serve`, where … is
`claims`  what a killed worker has claimed is not given back;
`removal` a worker removes batches from Redis when it claims them, not when they are stored;
`answer`  the host answers 202 before a visit is safe;
`edition` a kept page stays valid when the catalogue moves;
`stale`   with the records away no kept page goes out.

With the first three the process in question kills itself, once, in the moment that the guard is there for:
`claims`, `removal`  the worker, when it has claimed a batch and not stored it;
`answer`  the host, when it has answered and still has the visit in memory alone.
"""

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from aiohttp import web

import host.__main__
from host.messaging.visit_queue import Row, VisitQueue
from host.page_cache import policy
from host.page_cache.entry import CachedPage
from host.page_cache.memory import PageCache
from host.site_state import SITE
from host.supervisor import programs
from workers.app import app
from workers.visit_batches import Claimed

__all__ = ["app"]

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


def _claim_and_die(most: int) -> dict[str, Claimed]:
    claimed = visit_batches.claim_guarded(most)
    if any(POSTED.encode() in batch.payload for batch in claimed.values()):
        if WITHOUT == "removal":
            visit_batches.remove(list(claimed))
        _kill_once()
    return claimed


# Celery imports this module as its application; the other two processes run it.
if WITHOUT in ("claims", "removal"):
    visit_batches = import_module("workers.visit_batches")
    visit_batches.claim_guarded, visit_batches.claim = visit_batches.claim, _claim_and_die
if WITHOUT == "claims":
    visit_batches.give_back_old = lambda _age_s: 0

_enqueue = VisitQueue.enqueue
_in_memory: list[Row] = []


async def _answer_at_once(visit_queue: VisitQueue, row: Row) -> None:
    visit_queue.enqueue_nowait(row)


async def _hold_in_memory(visit_queue: VisitQueue, row: Row) -> None:
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

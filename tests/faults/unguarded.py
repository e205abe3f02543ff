"""The site with one guard taken out: under the faults that the product survives it must break its promise.

`UNGUARDED=… python -m tests.faults.unguarded serve`, where … is
`acks`    a worker acknowledges a batch before it has stored it, and nobody keeps a ledger;
`ledger`  batches are acknowledged after they were stored, as in the product, but nobody keeps a ledger;
`answer`  the host answers 202 before a visit is safe;
`edition` a kept page stays valid when the catalogue moves;
`stale`   with the records away no kept page goes out.
"""

import os
import sys
from dataclasses import replace
from typing import Any

from aiohttp import web

import host.__main__
from host import embedded, kept_pages, keys
from host.broker import CelerySender
from host.dispatch import Dispatch
from host.kept import Kept
from host.page_cache import PageCache
from workers.app import app

WITHOUT = os.environ["UNGUARDED"]
MODULE = "tests.faults.unguarded"

# Celery imports this module as its application; the other two processes run it.
if WITHOUT == "acks":
    app.conf.task_acks_late = False


async def _answer_at_once(dispatch: Dispatch, row: dict[str, Any]) -> None:
    dispatch.tell_later(row)


async def _safe_tell(dispatch: Dispatch, row: dict[str, Any]) -> None:
    await _joined(dispatch, row)


_joined = Dispatch.tell


def _take_guard_out() -> None:
    worker, web = embedded.worker, embedded.web
    embedded.worker = lambda settings: _with(worker(settings), "workers.app", MODULE)
    embedded.web = lambda number: _with(web(number), "host", MODULE)
    if WITHOUT in ("acks", "ledger"):
        CelerySender._note = lambda *_: None  # type: ignore[method-assign]
    if WITHOUT == "answer":
        Dispatch._quietly = _safe_tell  # type: ignore[method-assign, assignment]
        Dispatch.tell = _answer_at_once  # type: ignore[method-assign, assignment]
    if WITHOUT == "edition":
        Kept.is_valid = lambda *_: True  # type: ignore[method-assign]
    if WITHOUT == "stale":
        kept_pages.find = _find_while_fresh
        PageCache.get = lambda *_: None  # type: ignore[method-assign]
        PageCache.stored = _nothing  # type: ignore[method-assign, assignment]


async def _nothing(*_: object) -> None:
    return None


_find = kept_pages.find


def _find_while_fresh(request: web.Request) -> web.Response | None:
    return _find(request) if request.app[keys.SITE].is_fresh else None


def _with(program: embedded.Program, word: str, other: str) -> embedded.Program:
    return replace(program, command=tuple(other if one == word else one for one in program.command))


if __name__ == "__main__":
    _take_guard_out()
    sys.exit(host.__main__.main())

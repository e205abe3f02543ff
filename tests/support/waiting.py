"""Waiting for what another task, thread or process will do: polled with a deadline, never slept for."""

import asyncio
import inspect
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from sqlalchemy import text

from domain.database.database import Database

PAUSE_S = 0.005
# An upper bound for slow machines, which passing tests never reach; how fast things are is shown by benchmarks.
LIMIT_S = 120.0
# Deadlines of sites under test, where the test is not about them.
DEADLINE_S = 20.0


async def until(is_so: Callable[[], Any], deadline_s: float = LIMIT_S, every_s: float = PAUSE_S) -> Any:
    """Polls `is_so`, a function or a coroutine function; returns its first true result."""
    end = time.monotonic() + deadline_s
    while True:
        answer = is_so()
        if inspect.isawaitable(answer):
            answer = await answer
        if answer:
            return answer
        assert time.monotonic() < end, (
            f"not within {deadline_s:g} s, still {answer!r}: {inspect.getsource(is_so).strip()}"
        )
        await asyncio.sleep(every_s)


async def until_none(read: Callable[[], list[str]], deadline_s: float, every_s: float = 0.5) -> tuple[float, list[str]]:
    """Calls `read` in threads until it returns nothing: seconds that it took, and what is left at the deadline."""
    began = time.monotonic()
    while (left := await asyncio.to_thread(read)) and time.monotonic() - began < deadline_s:
        await asyncio.sleep(every_s)
    return time.monotonic() - began, left


def until_now(is_so: Callable[[], Any], deadline_s: float = LIMIT_S) -> None:
    """Polls the function `is_so` until it is true, in tests without an event loop."""
    end = time.monotonic() + deadline_s
    while not is_so():
        assert time.monotonic() < end, f"not within {deadline_s:g} s: {inspect.getsource(is_so).strip()}"
        time.sleep(PAUSE_S)


def until_blocked(database: Database, work: Future[Any]) -> None:
    """Waits, on MariaDB, until the work of a thread waits for a lock; without one the work ends."""
    waiting = text("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
    while not work.done():
        # The server makes this table anew only when nobody has read it for 0.1 s, and the test before may have.
        time.sleep(0.2)
        with database.read_session() as session:
            if session.scalar(waiting):
                return

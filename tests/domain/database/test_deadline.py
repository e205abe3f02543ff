"""Work that ignores its cancellation is abandoned in time, and cancelled again until it ends."""

import asyncio

import pytest

from domain.database import deadline
from domain.database.deadline import with_deadline
from tests.support.waiting import DEADLINE_S, until


async def ignore_cancellations(log: list[str], times: int) -> None:
    """Like a wait that loses a cancellation: ignores the first `times`."""
    for _ in range(times):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            log.append("cancelled")
    await asyncio.sleep(60)


async def wait_for_cancellations() -> None:
    await asyncio.gather(*deadline._pending_cancellations)


async def quick() -> int:
    await asyncio.sleep(0)
    return 7


async def broken() -> int:
    raise ValueError("no")


async def test_the_result_of_work_done_in_time_is_returned():
    assert await with_deadline(5, quick()) == 7


async def test_an_error_in_time_is_raised():
    with pytest.raises(ValueError, match="no"):
        await with_deadline(5, broken())


async def test_work_that_ignores_its_cancellation_is_abandoned_in_time_and_cancelled_again(monkeypatch):
    monkeypatch.setattr(deadline, "RETRY_CANCEL_S", 0.01)
    log: list[str] = []
    with pytest.raises(TimeoutError):
        await with_deadline(0.01, ignore_cancellations(log, 3))
    await asyncio.wait_for(wait_for_cancellations(), DEADLINE_S)
    assert log == ["cancelled"] * 3


async def test_asyncio_timeout_waits_for_work_that_ignores_its_cancellation():
    """The negative control: it cancels once, then waits."""
    log: list[str] = []

    async def bounded() -> None:
        async with asyncio.timeout(0.01):
            await ignore_cancellations(log, 1)

    task = asyncio.create_task(bounded())
    await until(lambda: log)
    assert (task.done(), log) == (False, ["cancelled"])
    task.cancel()
    await asyncio.wait({task})


async def test_cancelling_the_caller_ends_the_work(monkeypatch):
    monkeypatch.setattr(deadline, "RETRY_CANCEL_S", 0.01)
    log: list[str] = []
    caller = asyncio.create_task(with_deadline(60, ignore_cancellations(log, 2)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await asyncio.wait_for(wait_for_cancellations(), DEADLINE_S)
    assert log == ["cancelled"] * 2

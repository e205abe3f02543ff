"""Work that does not listen is still given up in time, and told again until it ends."""

import asyncio

import pytest

from domain import deadlines
from domain.deadlines import within


async def deaf(told: list[str], times: int) -> None:
    """Like a wait that loses a cancellation: the first `times` of them."""
    for _ in range(times):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            told.append("told")
    await asyncio.sleep(60)


async def ended() -> None:
    await asyncio.gather(*deadlines._endings)


async def quick() -> int:
    await asyncio.sleep(0)
    return 7


async def broken() -> int:
    raise ValueError("no")


async def test_what_is_done_in_time_is_answered():
    assert await within(5, quick()) == 7


async def test_an_error_in_time_is_raised():
    with pytest.raises(ValueError, match="no"):
        await within(5, broken())


async def test_deaf_work_is_given_up_in_time_and_told_again(monkeypatch):
    monkeypatch.setattr(deadlines, "AGAIN_S", 0.01)
    told: list[str] = []
    with pytest.raises(TimeoutError):
        await within(0.01, deaf(told, 3))
    await asyncio.wait_for(ended(), 5)
    assert told == ["told"] * 3


async def test_without_it_deaf_work_outlives_its_deadline():
    """The negative control: asyncio's own deadline waits for what does not listen."""
    told: list[str] = []

    async def bounded() -> None:
        async with asyncio.timeout(0.01):
            await deaf(told, 1)

    task = asyncio.create_task(bounded())
    done, _ = await asyncio.wait({task}, timeout=0.2)
    assert (done, told) == (set(), ["told"])
    task.cancel()
    await asyncio.wait({task})


async def test_a_caller_who_leaves_ends_the_work(monkeypatch):
    monkeypatch.setattr(deadlines, "AGAIN_S", 0.01)
    told: list[str] = []
    caller = asyncio.create_task(within(60, deaf(told, 2)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await asyncio.wait_for(ended(), 5)
    assert told == ["told"] * 2

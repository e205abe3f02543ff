"""SingleFlight: shared results, and work that outlives the caller who began it."""

import asyncio

import pytest

from host.resilience.single_flight import SingleFlight


class Work:
    """Counts its runs; each ends when `gate` is set, with `result` or, if that is an exception, by raising it."""

    def __init__(self, result: object = "result") -> None:
        self.gate, self.result, self.runs = asyncio.Event(), result, 0

    async def __call__(self) -> object:
        self.runs += 1
        await self.gate.wait()
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


async def start(flight: SingleFlight, work: Work, *keys: str) -> list[asyncio.Task]:
    callers = [asyncio.create_task(flight.run(key, work)) for key in keys]
    await asyncio.sleep(0)
    return callers


async def test_concurrent_callers_of_a_key_share_one_run():
    flight, work = SingleFlight(), Work()
    callers = await start(flight, work, "a", "a", "b")
    assert (len(flight), "a" in flight) == (2, True)
    work.gate.set()
    assert (await asyncio.gather(*callers), work.runs, len(flight)) == (["result"] * 3, 2, 0)


async def test_a_cancelled_caller_does_not_cancel_the_work_of_the_others():
    flight, work = SingleFlight(), Work()
    first, second = await start(flight, work, "a", "a")
    first.cancel()
    work.gate.set()
    assert (await second, work.runs, first.cancelled()) == ("result", 1, True)


async def test_an_error_reaches_every_caller_and_the_next_caller_starts_anew():
    flight, work = SingleFlight(), Work(OSError("no disk"))
    callers = await start(flight, work, "a", "a")
    work.gate.set()
    for caller in callers:
        with pytest.raises(OSError, match="no disk"):
            await caller
    work.result = "result"
    assert (await flight.run("a", work), work.runs) == ("result", 2)


async def test_close_cancels_what_is_running():
    flight, work = SingleFlight(), Work()
    (caller,) = await start(flight, work, "a")
    await flight.close()
    assert len(flight) == 0
    with pytest.raises(asyncio.CancelledError):
        await caller

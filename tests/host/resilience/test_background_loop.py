"""BackgroundLoop: whatever an iteration raises, the loop goes on, says so once and shows it."""

import asyncio
import os

import pytest

from host.resilience import background_loop as module
from host.resilience.background_loop import BackgroundLoop, read_statuses, write_statuses
from tests.support.waiting import until


class Work:
    """Iterations that raise `errors` one after the other and then succeed."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors, self.begun, self.ended = list(errors), 0, 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> None:
        self.begun += 1
        await asyncio.sleep(0)
        await self.gate.wait()
        if self.errors:
            raise self.errors.pop(0)
        self.ended += 1


@pytest.fixture
async def run(monkeypatch):
    """`run(work)`: a loop that runs `work`, with short pauses."""
    monkeypatch.setattr(module, "PAUSES_S", (0.001,))
    loops = []

    def start(work):
        loops.append(BackgroundLoop("test", work))
        loops[-1].start()
        return loops[-1]

    yield start
    for loop in loops:
        await loop.stop()


ERRORS = [RuntimeError("unexpected"), KeyError("x"), OSError("no disk"), TimeoutError(), asyncio.CancelledError()]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_an_unexpected_error_is_logged_once_and_the_loop_goes_on(run, caplog, error):
    work = Work(error)
    loop = run(work)
    await until(lambda: work.ended > 2)
    assert loop.status() == {"state": "running", "restarts": 1}
    assert [record.message for record in caplog.records] == [
        "the loop 'test' failed and goes on in 0.001 s",
        "the loop 'test' runs again after 1 failures",
    ]


async def test_a_loop_that_fails_every_time_is_failing_since_the_first_and_logged_once(run, caplog):
    work = Work(*(ValueError("always") for _ in range(50)))
    loop = run(work)
    await until(lambda: loop.restarts > 3)
    status = loop.status()
    assert status.keys() == {"state", "since", "restarts"}
    assert (status["state"], len(caplog.records)) == ("failing", 1)
    since = status["since"]
    await until(lambda: work.ended or loop.status()["since"] == since)


async def test_a_long_iteration_says_itself_that_it_works(run):
    work = Work(ValueError("once"))
    loop = run(work)
    work.gate.set()
    await until(lambda: loop.restarts)
    work.gate.clear()
    await until(lambda: work.begun > work.ended + 1)
    loop.mark_running()
    assert loop.status() == {"state": "running", "restarts": 1}


@pytest.mark.usefixtures("run")
async def test_every_change_is_announced():
    seen = []
    loop = BackgroundLoop("test", Work(ValueError("once")), lambda: seen.append(loop.state))
    loop.start()
    await until(lambda: len(seen) == 3)
    await loop.stop()
    assert seen == ["running", "failing", "running"]


async def test_a_stopped_loop_has_ended(run):
    work = Work()
    loop = run(work)
    await until(lambda: work.ended)
    await loop.stop()
    ended = work.ended
    await asyncio.sleep(0)
    assert (work.ended, loop.state) == (ended, "stopped")


async def test_statuses_are_read_only_by_children_of_the_process(run, tmp_path):
    loop = run(Work())
    assert read_statuses(tmp_path, os.getpid()) == {}
    write_statuses(tmp_path, os.getpid(), [loop])
    assert read_statuses(tmp_path, os.getpid()) == {"test": {"state": "running", "restarts": 0}}
    assert read_statuses(tmp_path, os.getpid() + 1) == {}

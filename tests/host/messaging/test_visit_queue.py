"""The one door to the workers: batches by rows and by time, safe before answered, spooled while the broker is away."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from domain.errors import Unavailable
from host import dispatch as module
from host import keys
from host.dispatch import Dispatch, NotSent
from host.spool import Spool
from tests.waiting import until

FOR_EVER = 600.0


class Broker:
    """Takes batches; or refuses, or keeps them waiting, as the test says."""

    def __init__(self) -> None:
        self.batches: list[list[dict]] = []
        self.tries = 0
        self.refuses = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, rows) -> None:
        self.tries += 1
        await self.gate.wait()
        if self.refuses:
            raise NotSent("refused")
        self.batches.append(rows)

    @property
    def numbers(self) -> list[int]:
        return [row["n"] for rows in self.batches for row in rows]


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
async def open_dispatch(broker, tmp_path, monkeypatch) -> AsyncIterator[Callable]:
    """`await open_dispatch(rows=…, seconds=…)`: a running dispatch; pauses are short enough to wait for."""
    monkeypatch.setattr(module, "BREAK_S", 0.05)
    monkeypatch.setattr(module, "DRAIN_EVERY_S", 0.02)
    async with AsyncExitStack() as stack:

        async def open_one(rows=200, seconds=0.01, most=1000, most_bytes=2**20, folder=tmp_path / "spool") -> Dispatch:
            made = Dispatch(broker.send, Spool(folder, most_bytes), rows, seconds, most)
            await stack.enter_async_context(asynccontextmanager(made.lifetime)(None))
            return made

        yield open_one


def tells(dispatch: Dispatch, *numbers: int) -> list[asyncio.Task]:
    return [asyncio.create_task(dispatch.tell({"n": number})) for number in numbers]


def files(tmp_path) -> list[str]:
    return sorted(path.suffix for path in (tmp_path / "spool").iterdir())


async def test_visits_of_a_moment_travel_together(open_dispatch, broker):
    dispatch = await open_dispatch(seconds=0.05)
    await asyncio.gather(*tells(dispatch, *range(50)))
    assert [len(rows) for rows in broker.batches] == [50]
    assert (broker.numbers, dispatch.accepted) == (list(range(50)), 50)


async def test_a_full_batch_leaves_at_once(open_dispatch, broker):
    dispatch = await open_dispatch(rows=10, seconds=FOR_EVER)
    await asyncio.gather(*tells(dispatch, *range(20)))
    assert [len(rows) for rows in broker.batches] == [10, 10]


async def test_a_lonely_visit_waits_no_longer_than_its_time(open_dispatch, broker):
    dispatch = await open_dispatch(seconds=0.1)
    began = time.monotonic()
    await dispatch.tell({"n": 1})
    assert 0.09 < time.monotonic() - began < 1.0
    assert broker.numbers == [1]


async def test_a_visit_is_answered_only_when_it_is_safe(open_dispatch, broker):
    broker.gate.clear()
    dispatch = await open_dispatch()
    (telling,) = tells(dispatch, 1)
    await until(lambda: broker.tries)
    assert (telling.done(), dispatch.accepted) == (False, 0)
    broker.gate.set()
    await telling
    assert (broker.numbers, dispatch.accepted) == ([1], 1)


async def test_what_the_broker_refuses_is_on_disk_before_it_is_answered(open_dispatch, broker, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BREAK_S", FOR_EVER)
    broker.refuses = True
    dispatch = await open_dispatch()
    await asyncio.gather(*tells(dispatch, 1, 2))
    assert files(tmp_path) == [".json"]
    assert (dispatch.accepted, dispatch.spooled, dispatch.is_broken) == (2, 2, True)


async def test_the_spool_drains_by_itself_when_the_broker_is_back(open_dispatch, broker, tmp_path):
    broker.refuses = True
    dispatch = await open_dispatch(rows=1)
    for number in range(5):
        await dispatch.tell({"n": number})
    assert dispatch.waiting_on_disk() == 5
    broker.refuses = False
    await until(lambda: files(tmp_path) == [])
    assert broker.numbers == [0, 1, 2, 3, 4]


async def test_a_broker_that_fails_is_left_alone_for_a_moment(open_dispatch, broker, monkeypatch):
    monkeypatch.setattr(module, "BREAK_S", FOR_EVER)
    broker.refuses = True
    dispatch = await open_dispatch(rows=1)
    for number in range(20):
        await dispatch.tell({"n": number})
    assert (broker.tries, dispatch.spooled) == (1, 20)


async def test_what_an_earlier_process_left_is_sent_first(open_dispatch, broker, tmp_path):
    left = Spool(tmp_path / "spool", 2**20)
    for number in range(3):
        left.put([{"n": number}])
    await open_dispatch()
    await until(lambda: len(broker.numbers) == 3)
    assert broker.numbers == [0, 1, 2]


async def test_a_batch_that_was_sent_but_not_crossed_out_is_sent_again(open_dispatch, broker, tmp_path):
    Spool(tmp_path / "spool", 2**20).put([{"n": 1}])
    (file,) = (tmp_path / "spool").iterdir()
    text = file.read_bytes()
    await open_dispatch()
    await until(lambda: broker.numbers == [1] and not file.exists())
    file.with_suffix(".again").write_bytes(text)
    file.with_suffix(".again").rename(file)
    await until(lambda: len(broker.numbers) == 2)
    assert broker.numbers == [1, 1]


async def test_a_broken_file_is_set_aside_and_the_others_go_on(open_dispatch, broker, tmp_path):
    Spool(tmp_path / "spool", 2**20).put([{"n": 1}])
    (tmp_path / "spool" / "half.json").write_bytes(b'[{"n": ')
    await open_dispatch()
    await until(lambda: broker.numbers and files(tmp_path) == [".broken"])
    assert broker.numbers == [1]


async def test_a_full_spool_refuses_and_counts(open_dispatch, broker, tmp_path):
    broker.refuses = True
    dispatch = await open_dispatch(rows=1, most_bytes=20)
    await dispatch.tell({"n": 1})
    with pytest.raises(Unavailable, match="cannot be kept just now"):
        await dispatch.tell({"n": 2, "url": "/a-longer-one"})
    assert (dispatch.accepted, dispatch.refused, files(tmp_path)) == (1, 1, [".json"])


async def test_too_many_at_once_are_refused_and_counted(open_dispatch, broker):
    broker.gate.clear()
    dispatch = await open_dispatch(rows=1, most=3)
    waiting = tells(dispatch, 1, 2, 3)
    await until(lambda: broker.tries == 3)
    with pytest.raises(Unavailable, match="Too many visits at once"):
        await dispatch.tell({"n": 4})
    broker.gate.set()
    await asyncio.gather(*waiting)
    assert (sorted(broker.numbers), dispatch.accepted, dispatch.refused) == ([1, 2, 3], 3, 1)
    await dispatch.tell({"n": 5})


async def test_a_visitor_who_leaves_does_not_take_others_along(open_dispatch, broker):
    broker.gate.clear()
    dispatch = await open_dispatch()
    left, stays = tells(dispatch, 1, 2)
    await until(lambda: broker.tries)
    left.cancel()
    broker.gate.set()
    await stays
    assert broker.numbers == [1, 2]


async def test_what_nobody_waits_for_is_sent_all_the_same(open_dispatch, broker):
    dispatch = await open_dispatch()
    dispatch.tell_later({"n": 1})
    await until(lambda: dispatch.accepted == 1)
    assert broker.numbers == [1]


async def test_what_nobody_waits_for_is_counted_when_it_is_lost(open_dispatch, broker, caplog):
    broker.refuses = True
    dispatch = await open_dispatch(most_bytes=1)
    dispatch.tell_later({"n": 1})
    await until(lambda: dispatch.refused == 1)
    assert "a crawler's visit was not kept" in caplog.text


async def test_stopping_hands_on_what_is_still_gathered(broker, tmp_path):
    dispatch = Dispatch(broker.send, Spool(tmp_path / "spool", 2**20), 200, FOR_EVER, 1000)
    async with asynccontextmanager(dispatch.lifetime)(None):
        waiting = tells(dispatch, 1, 2)
        await until(lambda: dispatch._batch is not None and len(dispatch._batch.rows) == 2)
    await asyncio.gather(*waiting)
    assert broker.numbers == [1, 2]


async def test_stopping_spools_what_the_broker_does_not_take(broker, tmp_path):
    broker.refuses = True
    dispatch = Dispatch(broker.send, Spool(tmp_path / "spool", 2**20), 200, FOR_EVER, 1000)
    async with asynccontextmanager(dispatch.lifetime)(None):
        waiting = tells(dispatch, 1)
        await until(lambda: dispatch._batch is not None)
    await asyncio.gather(*waiting)
    assert files(tmp_path) == [".json"]


async def test_a_mistake_in_sending_costs_no_visit(open_dispatch, broker, tmp_path, caplog):
    async def mistaken(_rows) -> None:
        raise ZeroDivisionError

    dispatch = await open_dispatch()
    dispatch._send = mistaken
    async with asyncio.timeout(2):
        await dispatch.tell({"n": 1})
    assert (dispatch.accepted, files(tmp_path)) == (1, [".json"])
    dispatch._send = broker.send
    await until(lambda: broker.numbers == [1])


async def refuse(_rows) -> None:
    raise NotSent("refused")


@pytest.mark.parametrize("refusal", ["spool", "queue"])
async def test_a_visit_that_cannot_be_kept_is_answered_503_with_a_time(open_site, refusal, monkeypatch):
    site = await open_site()
    dispatch, full = site.app[keys.DISPATCH], {"queue": ("_most", 0), "spool": ("_send", refuse)}
    monkeypatch.setattr(dispatch, *full[refusal])
    monkeypatch.setattr(dispatch._spool, "_most", 0)
    answer = await site.client.post("/api/SetAAUserTraceLog", json={"Url": "/"})
    told = await answer.json(content_type=None)
    assert (answer.status, told["status"], answer.headers["Retry-After"]) == (503, 503, "5")
    assert (dispatch.refused, site.visits()) == (1, [])
    assert (await (await site.get("/readyz")).json())["counts"]["visits_refused"] == 1

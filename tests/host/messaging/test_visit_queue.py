"""The visit queue: batches by rows and by time, stored before `enqueue` returns, spooled without a broker."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from contracts.payloads import VisitBatch, encode
from domain.errors import ServiceUnavailable
from host.messaging import visit_queue as module
from host.messaging.spool import Spool
from host.messaging.visit_queue import VISIT_QUEUE, PublishFailed, VisitQueue, join_batches
from tests.support.waiting import DEADLINE_S, until

NEVER_S = 600.0


class Broker:
    """A broker that accepts batches, refuses them, or blocks until the gate opens."""

    def __init__(self) -> None:
        self.batches: list[list[list[int]]] = []
        self.tries = 0
        self.refuses = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, payload) -> None:
        self.tries += 1
        await self.gate.wait()
        if self.refuses:
            raise PublishFailed("refused")
        self.batches.append(json.loads(payload)["rows"])

    @property
    def numbers(self) -> list[int]:
        return [row[0] for rows in self.batches for row in rows]


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
async def open_queue(broker, tmp_path, monkeypatch) -> AsyncIterator[Callable]:
    """`await open_queue(rows=…, seconds=…)`: a running queue with short pauses."""
    monkeypatch.setattr(module, "RETRY_AFTER_S", 0.05)
    monkeypatch.setattr(module, "DRAIN_EVERY_S", 0.02)
    async with AsyncExitStack() as stack:

        async def start(rows=200, seconds=0.01, max_waiting=1000, max_bytes=2**20) -> VisitQueue:
            queue = VisitQueue(broker.send, Spool(tmp_path / "spool", max_bytes), rows, seconds, max_waiting)
            await stack.enter_async_context(asynccontextmanager(queue.lifespan)(None))
            return queue

        yield start


def enqueue_all(queue: VisitQueue, *numbers: int) -> list[asyncio.Task]:
    return [asyncio.create_task(queue.enqueue([number])) for number in numbers]


def batch(number: int) -> bytes:
    return json.dumps({"v": 2, "columns": ["n"], "rows": [[number]]}).encode()


def files(tmp_path) -> list[str]:
    return sorted(path.suffix for path in (tmp_path / "spool").iterdir())


async def test_visits_of_a_short_time_are_one_batch(open_queue, broker):
    queue = await open_queue(seconds=0.05)
    await asyncio.gather(*enqueue_all(queue, *range(50)))
    assert [len(rows) for rows in broker.batches] == [50]
    assert (broker.numbers, queue.accepted) == (list(range(50)), 50)


async def test_a_full_batch_is_sent_at_once(open_queue, broker):
    queue = await open_queue(rows=10, seconds=NEVER_S)
    await asyncio.gather(*enqueue_all(queue, *range(20)))
    assert [len(rows) for rows in broker.batches] == [10, 10]


async def test_a_single_visit_is_sent_after_the_batch_time(open_queue, broker):
    queue = await open_queue(seconds=0.1)
    started_at = time.monotonic()
    await queue.enqueue([1])
    assert 0.09 < time.monotonic() - started_at < 10
    assert broker.numbers == [1]


async def test_enqueue_returns_only_when_the_visit_is_stored(open_queue, broker):
    broker.gate.clear()
    queue = await open_queue()
    (waiting,) = enqueue_all(queue, 1)
    await until(lambda: broker.tries)
    assert (waiting.done(), queue.accepted) == (False, 0)
    broker.gate.set()
    await waiting
    assert (broker.numbers, queue.accepted) == ([1], 1)


async def test_a_visit_that_the_broker_refuses_is_on_disk_before_enqueue_returns(
    open_queue, broker, tmp_path, monkeypatch
):
    monkeypatch.setattr(module, "RETRY_AFTER_S", NEVER_S)
    broker.refuses = True
    queue = await open_queue()
    await asyncio.gather(*enqueue_all(queue, 1, 2))
    assert files(tmp_path) == [".json"]
    assert (queue.accepted, queue.spooled, queue.is_circuit_open) == (2, 2, True)


async def test_the_spool_is_drained_when_the_broker_is_back(open_queue, broker, tmp_path):
    broker.refuses = True
    queue = await open_queue(rows=1)
    for number in range(5):
        await queue.enqueue([number])
    assert queue.spooled_batches() == 5
    broker.refuses = False
    await until(lambda: files(tmp_path) == [])
    assert broker.numbers == [0, 1, 2, 3, 4]


async def test_after_a_failure_the_broker_is_not_tried_for_a_while(open_queue, broker, monkeypatch):
    monkeypatch.setattr(module, "RETRY_AFTER_S", NEVER_S)
    broker.refuses = True
    queue = await open_queue(rows=1)
    for number in range(20):
        await queue.enqueue([number])
    assert (broker.tries, queue.spooled) == (1, 20)


async def test_no_visit_waits_to_see_whether_the_broker_is_back(open_queue, broker, monkeypatch):
    monkeypatch.setattr(module, "RETRY_AFTER_S", 0.0)
    monkeypatch.setattr(module, "DRAIN_EVERY_S", NEVER_S)
    broker.refuses = True
    queue = await open_queue(rows=1)
    for number in range(20):
        await queue.enqueue([number])
    assert (broker.tries, queue.spooled, queue.is_circuit_open) == (1, 20, True)


async def test_files_that_were_sent_before_a_failure_are_removed(open_queue, broker, tmp_path, monkeypatch):
    send = broker.send

    async def send_three(payload) -> None:
        broker.refuses = len(broker.batches) == 3
        await send(payload)

    for number in range(5):
        Spool(tmp_path / "spool", 2**20).write(batch(number))
    monkeypatch.setattr(broker, "send", send_three)
    queue = await open_queue()
    await until(lambda: len(files(tmp_path)) == 2 and queue.is_circuit_open)
    assert broker.numbers == [0, 1, 2]


async def test_many_files_are_sent_in_order_and_each_once(open_queue, broker, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FILES_AT_ONCE", 3)
    spool = Spool(tmp_path / "spool", 2**20)
    for number in range(10):
        spool.write(batch(number))
    await open_queue()
    await until(lambda: files(tmp_path) == [])
    assert broker.numbers == list(range(10))


def whole_batch(*numbers: int, **about: object) -> bytes:
    """A batch as this build writes it."""
    return json.dumps(encode(VisitBatch(columns=["n"], rows=[[number] for number in numbers])) | about).encode()


async def test_small_batches_are_sent_as_one_up_to_as_many_rows_as_a_batch_has(
    open_queue, broker, tmp_path, monkeypatch
):
    monkeypatch.setattr(module, "JOINED_ROWS", 3)
    spool = Spool(tmp_path / "spool", 2**20)
    for numbers in ((0, 1), (2,), (3,), (4, 5), (6, 7, 8, 9), (10,), (11,)):
        spool.write(whole_batch(*numbers))
    await open_queue()
    await until(lambda: files(tmp_path) == [])
    assert [[row[0] for row in rows] for rows in broker.batches] == [[0, 1, 2], [3, 4, 5], [6, 7, 8, 9], [10, 11]]


@pytest.mark.parametrize("about", [{"kind": "counts"}, {"columns": ["other"]}, {"columns": []}, {"later": 1}])
def test_batches_of_another_form_are_not_joined(about):
    first = whole_batch(1)
    count, joined = join_batches([first, whole_batch(2), whole_batch(3, **about), whole_batch(4)])
    assert (count, json.loads(joined)) == (2, json.loads(whole_batch(1, 2)))


async def test_of_batches_sent_as_one_only_the_one_at_fault_stays(open_queue, broker, tmp_path, monkeypatch):
    send = broker.send

    async def refuse_two(payload) -> None:
        if [2] in json.loads(payload)["rows"]:
            raise PublishFailed("the database refuses it")
        await send(payload)

    monkeypatch.setattr(broker, "send", refuse_two)
    for number in range(5):
        Spool(tmp_path / "spool", 2**20).write(whole_batch(number))
    queue = await open_queue()
    await until(lambda: sorted({*broker.numbers}) == [0, 1, 3, 4] and queue.broken_batches() == 1)
    await until(lambda: files(tmp_path) == [".json"])
    assert sorted(broker.numbers) == [0, 1, 3, 4]


async def test_spooled_batches_of_an_earlier_process_are_sent_first(open_queue, broker, tmp_path):
    left = Spool(tmp_path / "spool", 2**20)
    for number in range(3):
        left.write(batch(number))
    await open_queue()
    await until(lambda: len(broker.numbers) == 3)
    assert broker.numbers == [0, 1, 2]


async def test_a_batch_that_was_sent_but_not_removed_is_sent_again(open_queue, broker, tmp_path):
    Spool(tmp_path / "spool", 2**20).write(batch(1))
    (file,) = (tmp_path / "spool").iterdir()
    text = file.read_bytes()
    await open_queue()
    await until(lambda: broker.numbers == [1] and not file.exists())
    file.with_suffix(".again").write_bytes(text)
    file.with_suffix(".again").rename(file)
    await until(lambda: len(broker.numbers) == 2)
    assert broker.numbers == [1, 1]


@pytest.mark.parametrize(
    ("text", "suffix"),
    [('{"v": 3, "rows": []}', ".json"), ('[{"n": ', ".broken")],
    ids=["of a newer build", "malformed"],
)
async def test_a_file_that_cannot_be_understood_stays_and_the_others_are_sent(
    open_queue, broker, tmp_path, text, suffix
):
    Spool(tmp_path / "spool", 2**20).write(batch(1))
    (tmp_path / "spool" / "other.json").write_text(text)
    queue = await open_queue()
    await until(lambda: broker.numbers and files(tmp_path) == [suffix])
    assert (broker.numbers, queue.spooled_batches()) == ([1], int(suffix == ".json"))


async def test_a_file_that_cannot_be_read_stops_no_other(open_queue, broker, tmp_path):
    (tmp_path / "spool" / "0.json").mkdir(parents=True)
    Spool(tmp_path / "spool", 2**20).write(batch(1))
    queue = await open_queue()
    await until(lambda: broker.numbers == [1] and files(tmp_path) == [".json"])
    assert (queue.broken_batches(), queue.loop.restarts) == (1, 0)


@pytest.mark.parametrize("error", [PublishFailed("the database refuses it"), RuntimeError("a bug")])
async def test_a_file_that_cannot_be_sent_stops_no_other(open_queue, broker, tmp_path, error, monkeypatch):
    """Another one that is sent shows that it is not the broker."""
    send = broker.send

    async def refuse_one(payload) -> None:
        if payload == batch(1):
            raise error
        await send(payload)

    monkeypatch.setattr(broker, "send", refuse_one)
    for number in (1, 2, 3):
        Spool(tmp_path / "spool", 2**20).write(batch(number))
        os.utime(max((tmp_path / "spool").iterdir(), key=os.path.getmtime), (number, number))
    queue = await open_queue()
    await until(lambda: {2, 3} == set(broker.numbers) and queue.broken_batches() == 1)
    await until(lambda: not queue.is_circuit_open)
    await queue.enqueue([4])
    assert (4 in broker.numbers, files(tmp_path)) == (True, [".json"])


async def test_a_full_spool_refuses_and_counts(open_queue, broker, tmp_path):
    broker.refuses = True
    queue = await open_queue(rows=1, max_bytes=400)
    await queue.enqueue([1])
    with pytest.raises(ServiceUnavailable, match="cannot be stored at the moment"):
        await queue.enqueue([2])
    assert (queue.accepted, queue.refused, files(tmp_path)) == (1, 1, [".json"])


async def test_a_visit_that_cannot_be_encoded_is_refused_and_those_beside_it_are_stored(open_queue, broker):
    queue = await open_queue()
    good, bad, other = [asyncio.create_task(queue.enqueue([value])) for value in (1, "\udcff", 2)]
    with pytest.raises(ServiceUnavailable, match="cannot be stored at the moment"):
        await asyncio.wait_for(bad, DEADLINE_S)
    await asyncio.wait_for(asyncio.gather(good, other), DEADLINE_S)
    assert (broker.numbers, queue.accepted, queue.refused) == ([1, 2], 2, 1)
    with pytest.raises(ServiceUnavailable):
        await asyncio.wait_for(queue.enqueue(["\udcff"]), DEADLINE_S)
    assert [len(rows) for rows in broker.batches] == [2]


async def test_an_error_that_nobody_expects_answers_whoever_waits(open_queue, broker, monkeypatch):
    def fail(*_arguments: object) -> None:
        raise RuntimeError("the disk is on fire")

    broker.refuses = True
    queue = await open_queue(max_waiting=1)
    monkeypatch.setattr(Spool, "write", fail)
    for _ in range(2):
        # The second would be refused as one too many if the first still waited.
        with pytest.raises(ServiceUnavailable, match="cannot be stored at the moment"):
            await asyncio.wait_for(queue.enqueue([1]), DEADLINE_S)


async def test_too_many_concurrent_visits_are_refused_and_counted(open_queue, broker):
    broker.gate.clear()
    queue = await open_queue(rows=1, max_waiting=3)
    waiting = enqueue_all(queue, 1, 2, 3)
    await until(lambda: broker.tries == 3)
    with pytest.raises(ServiceUnavailable, match="Too many visits at once"):
        await queue.enqueue([4])
    broker.gate.set()
    await asyncio.gather(*waiting)
    assert (sorted(broker.numbers), queue.accepted, queue.refused) == ([1, 2, 3], 3, 1)
    await queue.enqueue([5])


async def test_a_cancelled_caller_does_not_cancel_the_batch(open_queue, broker):
    broker.gate.clear()
    queue = await open_queue()
    left, stays = enqueue_all(queue, 1, 2)
    await until(lambda: broker.tries)
    left.cancel()
    broker.gate.set()
    await stays
    assert broker.numbers == [1, 2]


async def test_enqueue_nowait_sends_the_visit(open_queue, broker):
    queue = await open_queue()
    queue.enqueue_nowait([1])
    await until(lambda: queue.accepted == 1)
    assert broker.numbers == [1]


async def test_a_visit_lost_by_enqueue_nowait_is_counted(open_queue, broker, caplog):
    broker.refuses = True
    queue = await open_queue(max_bytes=1)
    queue.enqueue_nowait([1])
    await until(lambda: queue.refused == 1)
    assert "a visit was not stored" in caplog.text


async def test_stopping_sends_the_open_batch(broker, tmp_path):
    queue = VisitQueue(broker.send, Spool(tmp_path / "spool", 2**20), 200, NEVER_S, 1000)
    async with asynccontextmanager(queue.lifespan)(None):
        waiting = enqueue_all(queue, 1, 2)
        await until(lambda: queue._batch is not None and len(queue._batch.rows) == 2)
    await asyncio.gather(*waiting)
    assert broker.numbers == [1, 2]


async def test_stopping_spools_what_the_broker_does_not_take(broker, tmp_path):
    broker.refuses = True
    queue = VisitQueue(broker.send, Spool(tmp_path / "spool", 2**20), 200, NEVER_S, 1000)
    async with asynccontextmanager(queue.lifespan)(None):
        waiting = enqueue_all(queue, 1)
        await until(lambda: queue._batch is not None)
    await asyncio.gather(*waiting)
    assert files(tmp_path) == [".json"]


async def test_an_unexpected_error_in_sending_loses_no_visit(open_queue, broker, tmp_path, caplog):
    async def mistaken(_rows) -> None:
        raise ZeroDivisionError

    queue = await open_queue()
    queue._send = mistaken
    async with asyncio.timeout(DEADLINE_S):
        await queue.enqueue([1])
    assert (queue.accepted, files(tmp_path)) == (1, [".json"])
    queue._send = broker.send
    await until(lambda: broker.numbers == [1])


async def refuse(_rows) -> None:
    raise PublishFailed("refused")


@pytest.mark.parametrize("refusal", ["spool", "queue"])
async def test_a_visit_that_cannot_be_stored_gets_503_with_retry_after(open_site, refusal, monkeypatch):
    site = await open_site()
    queue, full = site.app[VISIT_QUEUE], {"queue": ("_max_waiting", 0), "spool": ("_send", refuse)}
    monkeypatch.setattr(queue, *full[refusal])
    monkeypatch.setattr(queue._spool, "_max_bytes", 0)
    answer = await site.client.post("/api/SetAAUserTraceLog", json={"Url": "/"})
    problem = await answer.json(content_type=None)
    assert (answer.status, problem["status"], answer.headers["Retry-After"]) == (503, 503, "5")
    assert (queue.refused, site.visits()) == (1, [])
    assert (await (await site.get("/readyz")).json())["counts"]["visits_refused"] == 1

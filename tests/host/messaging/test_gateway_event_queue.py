"""Events of the gateway that come at once share a transaction."""

import asyncio

import pytest

from domain.errors import ServiceUnavailable
from domain.payments.gateway import Event, SessionRef
from host.messaging import gateway_event_queue
from host.messaging.gateway_event_queue import GatewayEventQueue
from tests.support.factories import NOON


class SlowDatabase:
    """Each write waits until it is let through; one with the event `bad` fails."""

    def __init__(self):
        self.batches: list[list[str]] = []
        self.begun, self.open = asyncio.Event(), asyncio.Event()

    async def write(self, _store, _gateway, events, _at):
        self.batches.append([event.id for event in events])
        self.begun.set()
        await self.open.wait()
        if any(event.id == "bad" for event in events):
            raise ServiceUnavailable("The site is temporarily unavailable.")


def event(event_id: str) -> Event:
    return Event(event_id, "checkout.session.completed", "cs_1", NOON, SessionRef(session_id="cs_1"))


async def store(database: SlowDatabase, *ids: str) -> list[object]:
    """The first event alone begins a transaction; the others come while it runs."""
    queue = GatewayEventQueue(database, "stripe")
    first = asyncio.create_task(queue.store(event(ids[0])))
    await database.begun.wait()
    others = [asyncio.create_task(queue.store(event(event_id))) for event_id in ids[1:]]
    # Each has run to where it waits.
    await asyncio.sleep(0)
    database.open.set()
    return await asyncio.gather(first, *others, return_exceptions=True)


async def test_events_that_come_while_a_transaction_runs_share_the_next_one():
    database = SlowDatabase()
    assert await store(database, "a", "b", "c") == [None, None, None]
    assert database.batches == [["a"], ["b", "c"]]


async def test_a_transaction_takes_no_more_than_its_most(monkeypatch):
    monkeypatch.setattr(gateway_event_queue, "MAX_BATCH", 2)
    database = SlowDatabase()
    assert await store(database, "a", "b", "c", "d", "e") == [None] * 5
    assert database.batches == [["a"], ["b", "c"], ["d", "e"]]


async def test_a_failed_transaction_refuses_its_events_and_the_next_goes_on(monkeypatch):
    monkeypatch.setattr(gateway_event_queue, "MAX_BATCH", 1)
    results = await store(SlowDatabase(), "a", "bad", "c")
    assert [type(result) for result in results] == [type(None), ServiceUnavailable, type(None)]


async def test_a_caller_that_has_gone_leaves_the_others_their_answer():
    database = SlowDatabase()
    queue = GatewayEventQueue(database, "stripe")
    tasks = [asyncio.create_task(queue.store(event(event_id))) for event_id in "ab"]
    await database.begun.wait()
    tasks[0].cancel()
    database.open.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [asyncio.CancelledError, type(None)]


@pytest.mark.parametrize("count", [1, 3])
async def test_the_queue_rests_when_nothing_waits_and_begins_anew(count):
    database = SlowDatabase()
    database.open.set()
    queue = GatewayEventQueue(database, "stripe")
    for number in range(count):
        await queue.store(event(str(number)))
    assert database.batches == [[str(number)] for number in range(count)]

"""Events of the gateway that come at once share a transaction."""

import asyncio

import pytest

from domain.errors import ServiceUnavailable
from domain.payments.gateway import Event, SessionRef
from host.messaging import gateway_event_queue
from host.messaging.gateway_event_queue import GatewayEventQueue
from tests.support.factories import NOON


class SlowDatabase:
    """Each write waits until it is let through; with the event `bad` the database is away, and `odd` it refuses."""

    def __init__(self):
        self.batches: list[list[str]] = []
        self.begun, self.open = asyncio.Event(), asyncio.Event()

    async def write(self, _store, _gateway, events, _at):
        self.batches.append([event.id for event in events])
        self.begun.set()
        await self.open.wait()
        if any(event.id == "bad" for event in events):
            raise ServiceUnavailable("The site is temporarily unavailable.")
        if any(event.id == "odd" for event in events):
            raise ValueError("This cannot be stored.")


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


async def test_events_that_come_at_once_share_a_transaction():
    database = SlowDatabase()
    database.open.set()
    queue = GatewayEventQueue(database, "stripe")
    await asyncio.gather(*(queue.store(event(event_id)) for event_id in "abc"))
    assert database.batches == [["a", "b", "c"]]


async def test_a_transaction_takes_no_more_than_its_most(monkeypatch):
    monkeypatch.setattr(gateway_event_queue, "MAX_BATCH", 2)
    database = SlowDatabase()
    assert await store(database, "a", "b", "c", "d", "e") == [None] * 5
    assert database.batches == [["a"], ["b", "c"], ["d", "e"]]


async def test_a_failed_transaction_refuses_its_events_and_the_next_goes_on(monkeypatch):
    monkeypatch.setattr(gateway_event_queue, "MAX_BATCH", 1)
    results = await store(SlowDatabase(), "a", "bad", "c")
    assert [type(result) for result in results] == [type(None), ServiceUnavailable, type(None)]


async def test_an_event_that_cannot_be_stored_refuses_no_other_of_its_transaction():
    database = SlowDatabase()
    results = await store(database, "a", "b", "odd", "c")
    assert [type(result) for result in results] == [type(None), type(None), ValueError, type(None)]
    assert database.batches == [["a"], ["b", "odd", "c"], ["b"], ["odd"], ["c"]]


class LeavingDatabase(SlowDatabase):
    """It refuses `odd`, and is away from `late` on."""

    async def write(self, *arguments):
        await super().write(*arguments)
        if self.batches[-1] == ["late"]:
            raise ServiceUnavailable("The site is temporarily unavailable.")


async def test_when_the_database_goes_away_the_events_behind_are_not_tried():
    database = LeavingDatabase()
    results = await store(database, "a", "b", "odd", "late", "c")
    assert [type(result) for result in results] == [type(None), type(None), ValueError, *[ServiceUnavailable] * 2]
    assert database.batches == [["a"], ["b", "odd", "late", "c"], ["b"], ["odd"], ["late"]]


async def test_without_the_database_events_are_not_tried_one_by_one():
    database = SlowDatabase()
    results = await store(database, "a", "b", "bad", "c")
    assert [type(result) for result in results] == [type(None)] + [ServiceUnavailable] * 3
    assert database.batches == [["a"], ["b", "bad", "c"]]


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

"""Events that never arrived are listed and added, however long nobody listened and however many there are."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import polls
from adapters.payments.transactions import BlockingTransactions
from domain.payments import gateway_events
from domain.payments.gateway import Event, EventPage, GatewayRefused, GatewayUnavailable, SessionRef
from domain.payments.gateway_events import Listed
from domain.tables import GatewayEvent

NOW = datetime.now(UTC).replace(microsecond=0)
HOUR = timedelta(hours=1)


def event(number: int, ago: timedelta) -> Event:
    return Event(f"evt_{number}", "checkout.session.completed", f"cs_{number}", NOW - ago, SessionRef(f"cs_{number}"))


class Gateway:
    """Lists `events`, the newest first, `size` a page. `fails_at`: the cursor with which it fails, and the error."""

    def __init__(self, events: Sequence[Event], size: int = 2):
        self.events, self.size = sorted(events, key=lambda event: event.created_at, reverse=True), size
        self.fails_at: tuple[str | None, Exception] | None = None
        self.calls = 0

    async def list_events(self, since: datetime, cursor: str | None) -> EventPage:
        self.calls += 1
        if self.fails_at is not None and self.fails_at[0] == cursor:
            raise self.fails_at[1]
        ids = [event.id for event in self.events]
        start = 0 if cursor is None else ids.index(cursor) + 1
        page = [event for event in self.events if event.created_at >= since][start : start + self.size]
        has_more = bool(page) and self.events[ids.index(page[-1].id) + 1 :]
        return EventPage(tuple(page), page[-1].id if has_more else None)


@pytest.fixture
def db(database) -> BlockingTransactions:
    return BlockingTransactions(database)


def stored(database) -> set[str]:
    with database.read_session() as session:
        return {row.event_id for row in session.query(GatewayEvent)}


async def test_an_event_that_arrives_after_an_outage_does_not_hide_those_before_it(database, db):
    """Nobody listened for six hours; then the gateway delivers its newest event, before the first list."""
    before, missed, newest = event(1, 9 * HOUR), event(2, 5 * HOUR), event(3, timedelta(0))
    gateway = Gateway([before], size=10)
    assert await polls.add_missed_events(db, gateway, "stripe") == 1
    gateway = Gateway([before, missed, newest], size=10)
    await db.write(gateway_events.store, "stripe", newest, NOW)
    assert await polls.add_missed_events(db, gateway, "stripe") == 1
    assert stored(database) == {"evt_1", "evt_2", "evt_3"}
    assert await db.read(gateway_events.listed, "stripe") == Listed(NOW)


@pytest.mark.each_database
async def test_a_list_that_is_too_long_for_one_run_goes_on_in_the_next(database, db, monkeypatch):
    monkeypatch.setattr(polls, "MAX_PAGES", 2)
    gateway = Gateway([event(number, number * timedelta(minutes=1)) for number in range(9)])
    added = [await polls.add_missed_events(db, gateway, "stripe") for _run in range(3)]
    assert (added, len(stored(database)), gateway.calls) == ([4, 4, 1], 9, 5)
    assert await db.read(gateway_events.listed, "stripe") == Listed(NOW)


@pytest.mark.parametrize(
    ("error", "page"), [(GatewayUnavailable("later"), "evt_1"), (GatewayRefused("no such event"), None)]
)
async def test_a_list_that_broke_off_goes_on_or_begins_anew(database, db, error, page):
    gateway = Gateway([event(number, number * timedelta(minutes=1)) for number in range(4)])
    gateway.fails_at = ("evt_1", error)
    with pytest.raises(type(error)):
        await polls.add_missed_events(db, gateway, "stripe")
    assert (await db.read(gateway_events.listed, "stripe")).page == page
    gateway.fails_at = None
    await polls.add_missed_events(db, gateway, "stripe")
    assert len(stored(database)) == 4

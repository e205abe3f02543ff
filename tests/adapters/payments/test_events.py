"""Events of the gateway settle an order once, in any order, and also when they never came."""

import pytest
from sqlalchemy import select

from adapters.payments import polls
from domain.tables import GatewayEvent, Payment
from tests.adapters.payments.world import (
    handle,
    rows_of,
    store_deliveries,
)


@pytest.mark.each_database
async def test_deliveries_twice_and_in_any_order_settle_once(world):
    await world.open()
    await world.pay()
    await world.standin.delivered(1)
    await store_deliveries(world, times=3)
    events = [row for row in rows_of(world) if row.kind == "payments.event"]
    assert len(events) == len(world.standin.webhook.received)
    for row in [*reversed(events), *events]:
        await handle(world, row)
    assert world.states() == ["paid", "paid"]
    assert world.charges() == 5_500


async def test_an_event_about_a_page_whose_opening_was_not_stored_settles_it(world):
    await world.open()
    await world.pay()
    await world.standin.delivered(1)
    with world.database.write_session() as session:
        payment = session.get_one(Payment, world.ref().id)
        payment.state, payment.session_id, payment.url = "new", None, None
    await store_deliveries(world)
    await handle(world, next(row for row in rows_of(world) if row.kind == "payments.event"))
    assert world.states() == ["paid", "paid"]


async def test_an_event_of_another_shop_is_ignored(world):
    foreign = await world.standin.paid(4_900, metadata={"shop": "other", "order": world.code, "payment": "1"})
    await world.standin.delivered(1)
    await store_deliveries(world)
    for row in rows_of(world):
        if row.kind == "payments.event":
            await handle(world, row)
    assert foreign.status == "complete"
    assert world.states() == ["placed", "new"]


async def test_events_that_never_arrived_are_added(world):
    await world.open()
    await world.pay()
    added = await polls.add_missed_events(world.db, world.gateway, "stripe")
    assert added >= 1
    assert await polls.add_missed_events(world.db, world.gateway, "stripe") == 0
    with world.database.read_session() as session:
        assert "checkout.session.completed" in list(session.scalars(select(GatewayEvent.type)))

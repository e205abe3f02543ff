"""Orders past their time, cancelled ones, and money that comes too late or twice."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from adapters.payments import polls
from adapters.payments.stripe_gateway import StripeGateway
from domain.outbox.errors import Later
from domain.payments import attempts
from domain.tables import Order, Payment, Refund
from tests.adapters.payments.world import SHOP, account, handle, lease, rows_of
from tests.domain.orders import selling
from tests.standins.payments.shop import OK


async def test_an_order_past_its_time_expires_after_its_page(world):
    await world.open()
    world.lapse(minutes=1)
    assert await polls.expire_orders(world.db, world.gateway, SHOP) == 1
    assert world.states() == ["expired", "expired"]
    assert (await world.standin.get(world.payments()[0].session_id)).status == "expired"


async def test_an_order_that_was_paid_in_its_last_moment_is_paid_and_does_not_expire(world):
    await world.open()
    await world.pay()
    world.lapse(minutes=1)
    assert await polls.expire_orders(world.db, world.gateway, SHOP) == 0
    assert world.states() == ["paid", "paid"]


async def test_without_the_gateway_an_order_waits_a_day_for_its_page(world):
    await world.open()
    unavailable = StripeGateway(account(world.standin, base="http://127.0.0.1:9", deadline_s=1.0))
    world.lapse(hours=23)
    assert await polls.expire_orders(world.db, unavailable, SHOP) == 0
    assert world.states() == ["placed", "open"]
    world.lapse(hours=25)
    assert await polls.expire_orders(world.db, unavailable, SHOP) == 1
    assert world.states() == ["expired", "open"]
    await unavailable.close()


async def test_money_that_comes_after_the_order_ended_is_late_and_buys_what_is_still_there(world):
    await world.open()
    session_id = world.payments()[0].session_id
    world.lapse(hours=25)
    unavailable = StripeGateway(account(world.standin, base="http://127.0.0.1:9", deadline_s=1.0))
    await polls.expire_orders(world.db, unavailable, SHOP)
    await unavailable.close()
    await world.standin.pay(session_id, OK)
    assert await world.retrieve() == "settled"
    assert world.states() == ["paid", "paid"]


async def test_the_page_of_a_cancelled_order_is_closed_by_the_outbox(world):
    await world.open()
    item = {"payment_id": world.ref().id, "v": 1}
    await handle(world, lease("payments.expire", item))
    assert world.states() == ["placed", "expired"]
    # Again, and for a payment that never had a page.
    await handle(world, lease("payments.expire", item))
    await handle(world, lease("payments.expire", {"payment_id": 0, "v": 1}))


async def test_a_payment_without_a_session_is_void_and_one_that_is_being_opened_waits(world):
    item = {"payment_id": world.ref().id, "v": 1}
    with world.database.write_session() as session:
        begun = attempts.begin(session, world.learner, world.order_id, SHOP, datetime.now(UTC))
    with pytest.raises(Later, match="is being opened now"):
        await handle(world, lease("payments.expire", item))
    await world.db.write(attempts.release, begun)
    await handle(world, lease("payments.expire", item))
    assert world.states() == ["placed", "void"]


async def test_a_second_payment_is_sent_back_once(world):
    await world.open()
    await world.pay()
    await world.retrieve()
    with world.database.write_session() as session:
        order = session.get_one(Order, world.order_id)
        selling.add_payment(session, order, 2)
    metadata = {"shop": "shop-1", "order": world.code, "payment": "2"}
    second = await world.standin.paid(5_500, metadata=metadata, client_reference_id=world.code)
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref(2).id).session_id = second.id
    assert await world.retrieve(2) == "duplicate"
    assert world.charges() == 11_000
    refund = next(row for row in rows_of(world) if row.kind == "payments.refund")
    await world.standin.fault("POST /v1/refunds", "error-after-charging")
    for _time in range(3):
        await handle(world, refund)
    assert world.charges() == 5_500
    with world.database.read_session() as session:
        assert [(row.state, row.amount_minor) for row in session.scalars(select(Refund))] == [("succeeded", 5_500)]
    assert world.states() == ["paid", "paid", "paid"]

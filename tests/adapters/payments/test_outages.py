"""What waits while the gateway is down, silent or unreadable."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import polls
from contracts.payloads import PaymentItem, encode
from domain.errors import ServiceUnavailable
from domain.outbox.errors import Later, ServiceDown, Undeliverable
from domain.payments import attempts
from domain.payments.attempts import OpenPage
from domain.tables import Order, Payment
from tests.adapters.payments.world import (
    SHOP,
    handle,
    lease,
)
from tests.domain.orders import selling


@pytest.mark.parametrize(("age", "error"), [(0, ServiceDown), (73, Undeliverable)])
async def test_without_the_gateway_all_rows_wait_for_up_to_three_days(world, age, error):
    body = encode(PaymentItem(payment_id=world.ref().id))
    row = lease("payments.expire", body, timedelta(hours=age))
    with pytest.raises(error):
        await handle(world, row, base="http://127.0.0.1:9", deadline_s=1.0)


async def test_a_gateway_that_is_silent_stops_all_rows_and_an_unreadable_response_only_its_own(world):
    await world.open()
    row = lease("payments.expire", encode(PaymentItem(payment_id=world.ref().id)))
    await world.standin.fault("GET /v1/checkout/sessions/*", "hang")
    with pytest.raises(ServiceDown):
        await handle(world, row, deadline_s=0.5)
    await world.standin.fault("GET /v1/checkout/sessions/*", "bad-json")
    with pytest.raises(Later):
        await handle(world, row)


async def test_a_payment_whose_response_is_unreadable_holds_up_no_other_poll(world):
    await world.open()
    with world.database.write_session() as session:
        selling.add_payment(session, session.get_one(Order, world.order_id), 2)
    first, second = (world.ref(number).id for number in (1, 2))
    with world.database.write_session() as session:
        first, second = session.get_one(Payment, first), session.get_one(Payment, second)
        first.poll_at, first.polls = datetime.now(UTC) - timedelta(seconds=2), 8
        second.poll_at, second.created_at = datetime.now(UTC) - timedelta(seconds=1), datetime.now(UTC)
    await world.standin.fault("GET /v1/checkout/sessions/*", "bad-json")
    assert await polls.poll(world.db, world.gateway, SHOP) == 2
    first, second = world.payments()
    assert second.polls == 1
    # Not after a day, which would be the next wait.
    assert first.poll_at is not None
    assert first.poll_at < datetime.now(UTC) + timedelta(minutes=1)


async def test_a_page_that_could_not_be_stored_is_given_to_its_buyer_and_settled_by_polling(world, monkeypatch):
    """The database went away while the gateway opened the page."""

    def unavailable(*_: object) -> None:
        raise ServiceUnavailable("The site is temporarily unavailable.")

    with monkeypatch.context() as patch:
        patch.setattr(attempts, "store_page", unavailable)
        page = await world.open()
    (opened,) = (await world.standin.api.checkout.sessions.list_async({})).data
    assert (page, world.states()) == (OpenPage(opened.url), ["placed", "new"])
    await world.standin.pay(opened.id)
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).poll_at = datetime.now(UTC)
    assert await polls.poll(world.db, world.gateway, SHOP) == 1
    assert world.states() == ["paid", "paid"]

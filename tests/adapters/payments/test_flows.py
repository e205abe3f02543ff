"""From "pay" to a paid order, and every way beside it: our functions, the stand-in of the gateway, both databases."""

import asyncio
from datetime import UTC, datetime

import pytest

from adapters.payments import opening, polls
from adapters.payments.stripe_gateway import StripeGateway
from domain.payments import attempts
from domain.payments.attempts import Busy, Closed, OpenPage
from domain.payments.gateway import GatewayRefused, GatewayUnavailable
from domain.tables import Payment
from tests.adapters.payments.world import (
    CREATE,
    SEPA_FAILS,
    SHOP,
    account,
)
from tests.standins.payments.shop import OK


@pytest.mark.each_database
async def test_an_order_is_paid_on_its_page(world):
    page = await world.open()
    assert isinstance(page, OpenPage)
    assert page == await world.open()
    assert world.states() == ["placed", "open"]
    await world.pay()
    assert await world.retrieve() == "settled"
    assert world.states() == ["paid", "paid"]
    payment = world.payments()[0]
    assert (payment.method, payment.poll_at, payment.amount_minor) == ("Visa 4242", None, 5_500)
    assert await world.open() == Closed("paid")


@pytest.mark.each_database
async def test_many_presses_open_one_page(world):
    async def press() -> object:
        async with asyncio.timeout(60):
            gateway = StripeGateway(account(world.standin))
            try:
                return await world.open(gateway)
            finally:
                await gateway.close()

    pages = await asyncio.gather(*(press() for _press in range(5)))
    assert len(set(pages)) == 1
    assert len((await world.standin.api.checkout.sessions.list_async({})).data) == 1


async def test_without_an_answer_the_same_page_is_used_the_next_time(world):
    impatient = StripeGateway(account(world.standin, deadline_s=1.0))
    await world.standin.fault(CREATE, "hang")
    with pytest.raises(GatewayUnavailable):
        await world.open(impatient)
    await impatient.close()
    assert world.states() == ["placed", "new"]
    await world.open()
    assert len((await world.standin.api.checkout.sessions.list_async({})).data) == 1


async def test_a_page_whose_answer_was_lost_is_found_by_polling(world):
    impatient = StripeGateway(account(world.standin, deadline_s=1.0))
    await world.standin.fault(CREATE, "hang")
    with pytest.raises(GatewayUnavailable):
        await world.open(impatient)
    await impatient.close()
    session = (await world.standin.api.checkout.sessions.list_async({})).data[0]
    await world.standin.pay(session.id, OK)
    with world.database.write_session() as write:
        write.get_one(Payment, world.ref().id).poll_at = datetime.now(UTC)
    assert await polls.poll(world.db, world.gateway, SHOP) == 1
    assert world.states() == ["paid", "paid"]


async def test_a_page_that_the_gateway_refuses_to_open_fails_and_another_attempt_follows(world):
    elsewhere = StripeGateway(account(world.standin, page_origin="https://checkout.stripe.com"))
    with pytest.raises(GatewayRefused):
        await world.open(elsewhere)
    await elsewhere.close()
    assert world.states() == ["placed", "failed"]
    assert isinstance(await world.open(), OpenPage)
    assert world.states() == ["placed", "failed", "open"]


async def test_paying_again_closes_the_last_page_first(world):
    await world.open()
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).expires_at = datetime.now(UTC)
    assert isinstance(await world.open(), OpenPage)
    assert world.states() == ["placed", "expired", "open"]


async def test_whoever_paid_on_the_last_page_does_not_pay_again(world):
    await world.open()
    await world.pay()
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).expires_at = datetime.now(UTC)
    assert await world.open() == Closed("paid")
    assert world.states() == ["paid", "paid"]


async def test_a_debit_that_fails_is_followed_by_a_card_and_one_charge(world):
    await world.open()
    await world.pay(SEPA_FAILS)
    assert await world.retrieve() == "processing"
    assert (world.states(), await world.open()) == (["processing", "processing"], Closed("processing"))
    await world.standin.advance(600)
    assert await world.retrieve() == "failed"
    assert (world.states(), world.charges()) == (["placed", "failed"], 0)
    assert isinstance(await world.open(), OpenPage)
    await world.pay(number=2)
    assert await world.retrieve(2) == "settled"
    assert (world.states(), world.charges()) == (["paid", "failed", "paid"], 5_500)


async def test_while_another_opens_the_page_nobody_else_calls(world, monkeypatch):
    monkeypatch.setattr(opening, "WAIT_S", 0.3)
    with world.database.write_session() as session:
        attempts.begin(session, world.learner, world.order_id, SHOP, datetime.now(UTC))
    assert await world.open() == Busy()
    assert (await world.standin.api.checkout.sessions.list_async({})).data == []

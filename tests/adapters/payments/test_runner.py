"""The background work of payments as workers, and hosts without workers, start it: against the stand-in."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import polls
from adapters.payments.runner import NotPrepared, PaymentRunner
from adapters.payments.stripe_gateway import StripeGateway
from adapters.payments.sync_calls import GatewayService
from domain.payments.gateway import GatewayAccount
from domain.tables import Payment, StoredShop
from tests.adapters.payments.world import SHOP, World, account
from tests.domain.orders import selling


@pytest.fixture
async def world(world: World) -> World:
    """A world whose database is prepared."""
    with world.database.write_session() as session:
        session.add(StoredShop(id=1, uid=SHOP.uid, currency="USD"))
    return world


def runner(world: World) -> PaymentRunner:
    return PaymentRunner(world.database, account(world.standin), selling.SETTINGS)


@pytest.mark.each_database
async def test_a_payment_that_is_due_is_retrieved_and_its_order_paid(world):
    await world.open()
    await world.pay()
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).poll_at = datetime.now(UTC)
    assert await asyncio.to_thread(runner(world).poll) == 1
    assert world.states() == ["paid", "paid"]
    assert await asyncio.to_thread(runner(world).poll) == 0


async def test_an_event_that_never_arrived_is_added_and_handled(world):
    await world.open()
    await world.pay()
    assert await asyncio.to_thread(runner(world).add_missed_events) == 1
    assert world.states() == ["placed", "open"]
    assert await asyncio.to_thread(runner(world).handle_rows) == 1
    assert world.states() == ["paid", "paid"]
    assert await asyncio.to_thread(runner(world).add_missed_events) == 0


def test_a_run_for_rows_keeps_its_connections_and_any_other_call_has_its_own():
    seen = []

    async def note(gateway: StripeGateway) -> None:
        seen.append(gateway)

    service = GatewayService(GatewayAccount("http://127.0.0.1:9", "", (), "", (), 1.0))
    service.run(note)
    with service:
        service.run(note)
        service.run(note)
    service.run(note)
    alone, kept, again, last = seen
    assert kept is again
    assert len({id(gateway) for gateway in (alone, kept, last)}) == 3


async def test_an_order_past_its_time_expires_with_its_page(world):
    await world.open()
    world.lapse(minutes=1)
    await asyncio.to_thread(runner(world).poll)
    assert world.states() == ["expired", "expired"]


async def test_a_reconciliation_without_differences_reports_none(world):
    await world.open()
    await world.pay()
    await world.retrieve()
    report = await asyncio.to_thread(lambda: runner(world).reconcile(datetime.now(UTC) - timedelta(days=1)))
    assert report.findings == ()


async def test_before_the_database_is_prepared_nothing_is_done(database, shop):
    with pytest.raises(NotPrepared):
        await asyncio.to_thread(PaymentRunner(database, account(shop), selling.SETTINGS).poll)


async def test_an_unexpected_error_about_one_payment_ends_neither_the_polls_nor_the_expiry(world, monkeypatch, caplog):
    await world.open()
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).poll_at = datetime.now(UTC)
    world.lapse(minutes=1)

    async def break_off(*_: object) -> None:
        raise RuntimeError("unexpected")

    monkeypatch.setattr(polls.settling, "retrieve", break_off)
    assert await asyncio.to_thread(runner(world).poll) == 1
    assert (world.states(), "cannot be polled" in caplog.text) == (["expired", "expired"], True)

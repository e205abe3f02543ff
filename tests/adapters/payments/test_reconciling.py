"""Our payments compared with the gateway's."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import reconciling
from domain.payments import reconciliation
from domain.payments.gateway import SessionRef
from domain.tables import Payment
from tests.adapters.payments.world import SEPA_FAILS, SEPA_LATER


async def test_what_was_sold_a_moment_ago_is_compared_as_soon_as_it_is_stored_here(world):
    since = datetime.now(UTC) - timedelta(days=1)
    await world.open()
    await world.pay()
    early = await reconciling.reconcile(world.db, world.gateway, "shop-1", since)
    assert (early.transactions, early.waiting, early.findings) == (0, 1, ())
    await world.retrieve()
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", since)
    assert (report.transactions, report.waiting, report.findings) == (1, 0, ())
    assert world.payments()[0].reconciled_at is not None


@pytest.mark.each_database
async def test_reconciliation_of_what_agrees_and_of_what_does_not(world, monkeypatch):
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    since = datetime.now(UTC) - timedelta(days=1)
    await world.open()
    await world.pay()
    stray = await reconciling.reconcile(world.db, world.gateway, "shop-1", since, is_dry=True)
    assert [finding.kind for finding in stray.findings] == ["missing_here"]
    await world.retrieve()
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", since)
    assert (report.transactions, report.foreign, report.findings) == (1, 0, ())
    assert world.payments()[0].reconciled_at is not None
    with world.database.write_session() as session:
        payment = session.get_one(Payment, world.ref().id)
        payment.charge_id, payment.intent_id, payment.reconciled_at = "ch_lost", "pi_lost", None
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", since)
    assert [finding.kind for finding in report.findings] == ["missing_here", "missing_there"]
    with world.database.read_session() as session:
        assert len(reconciliation.open_findings(session)) == 2


async def test_a_charge_of_another_amount_and_one_of_the_last_moment_are_not_missing(world, monkeypatch):
    """A charge is ours before the gateway counts it: it is younger than what a run compares, or just older."""
    since = datetime.now(UTC) - timedelta(days=1)
    await world.open()
    await world.pay()
    await world.retrieve()
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).paid_at = datetime.now(UTC) - timedelta(minutes=31)
    assert (await reconciling.reconcile(world.db, world.gateway, "shop-1", since, is_dry=True)).findings == ()
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    with world.database.write_session() as session:
        session.get_one(Payment, world.ref().id).amount_minor = 5_499
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", since)
    assert [finding.kind for finding in report.findings] == ["amount"]


async def reconcile(world) -> list[str]:
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", datetime.now(UTC) - timedelta(days=1))
    return [finding.kind for finding in report.findings]


async def test_a_debit_is_no_finding_while_it_is_under_way_and_reconciled_once_it_is_paid(world, monkeypatch):
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    began = datetime.now(UTC)
    await world.open()
    await world.pay(SEPA_LATER)
    assert await reconcile(world) == ["missing_here"]
    assert await world.retrieve() == "processing"
    assert await reconcile(world) == []
    await world.standin.advance(200)
    assert await world.retrieve() == "settled"
    [payment] = world.payments()
    # When its charge began, it says nothing about the money's day.
    snapshot = await world.gateway.get_session(SessionRef(session_id=payment.session_id))
    assert (snapshot.is_paid, snapshot.paid_at, payment.paid_at > began) == (True, None, True)
    assert payment.reconciled_at is None
    assert await reconcile(world) == []
    assert world.payments()[0].reconciled_at is not None


async def test_a_debit_that_failed_is_no_finding(world, monkeypatch):
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    await world.open()
    await world.pay(SEPA_FAILS)
    await world.retrieve()
    await world.standin.advance(200)
    assert await world.retrieve() == "failed"
    assert (await reconcile(world), world.charges(), world.payments()[0].reconciled_at) == ([], 0, None)


async def test_a_payment_whose_movement_is_older_than_the_pages_is_looked_up(world, monkeypatch):
    """P5: a debit settles two weeks after its movement began."""
    monkeypatch.setattr(reconciling, "SETTLED_AFTER", timedelta(minutes=-1))
    await world.open()
    await world.pay(SEPA_LATER)
    await world.standin.advance(200)
    await world.retrieve()
    report = await reconciling.reconcile(world.db, world.gateway, "shop-1", datetime.now(UTC) + timedelta(hours=1))
    assert (report.transactions, report.findings) == (1, ())
    assert world.payments()[0].reconciled_at is not None

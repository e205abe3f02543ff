"""Our payments compared with the gateway's."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.payments import reconciling
from domain.payments import reconciliation
from domain.tables import Payment


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

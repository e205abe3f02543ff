"""When the gateway is asked about payments, and who closes the pages of an order."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from domain.orders import expiry
from domain.payments import polling
from domain.payments.attempts import PaymentRef
from domain.tables import Payment
from tests.domain.payments import rows
from tests.support.factories import NOON

S, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
WAITS = [15 * S, 30 * S, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 24 * HOUR]


def test_a_payment_is_polled_soon_then_less_and_less_often(session):
    order, payment = rows.placed_order(session)
    payment.poll_at, at = NOON, NOON
    session.flush()
    for wait in WAITS:
        assert polling.lease_due(session, at - S, 5) == []
        assert polling.lease_due(session, at, 5) == [PaymentRef(payment.id, order.id, order.learner_id)]
        session.expire_all()
        assert payment.poll_at == at + wait
        at += wait


@pytest.mark.parametrize("state", ["paid", "failed", "expired", "void"])
def test_what_can_bring_no_more_money_is_polled_no_more(session, state):
    order, payment = rows.placed_order(session)
    payment.state, payment.poll_at = state, NOON
    session.flush()
    assert polling.lease_due(session, NOON, 5) == []
    polling.stop(session, PaymentRef(payment.id, order.id, order.learner_id))
    session.expire_all()
    assert payment.poll_at is None


@pytest.mark.each_database
@pytest.mark.parametrize("is_guarded", [True, False])
def test_of_two_runners_that_read_the_same_payment_one_polls_it(database, monkeypatch, is_guarded):
    """Without the guard of the UPDATE, the negative control, both do."""
    with database.write_session() as session:
        _order, payment = rows.placed_order(session)
        payment.poll_at = NOON
    real, others = polling.affected_rows, []

    def after_another(session, statement):
        if not others:
            others.append(None)
            # On SQLite the first runner holds the lock of the database: the other one is its own transaction before.
            moved = update(Payment).where(Payment.id == payment.id).values(poll_at=NOON + MINUTE, polls=1)
            session.execute(moved, execution_options={"synchronize_session": False})
        count = real(session, statement)
        return count if is_guarded else 1

    monkeypatch.setattr(polling, "affected_rows", after_another)
    leased = database.write_sync(polling.lease_due, NOON, 5)
    assert len(leased) == (0 if is_guarded else 1)


@pytest.mark.each_database
def test_the_pages_of_an_order_are_closed_by_one_runner_at_a_time(session):
    order, payment = rows.placed_order(session)
    rows.payment(session, order, 2, state="expired")
    ref = PaymentRef(payment.id, order.id, order.learner_id)
    assert polling.lease_pages(session, [order.id], NOON) == [ref]
    assert polling.lease_pages(session, [order.id], NOON + polling.CLOSING_LEASE - S) == []
    assert polling.lease_pages(session, [order.id], NOON + polling.CLOSING_LEASE) == [ref]
    polling.end_lease(session, ref)
    assert polling.lease_pages(session, [order.id], NOON + polling.CLOSING_LEASE + S) == [ref]
    assert polling.lease_pages(session, [], NOON + HOUR) == []


def test_a_poll_without_an_answer_is_repeated_soon_however_long_the_next_wait_is(session):
    order, payment = rows.placed_order(session)
    ref = PaymentRef(payment.id, order.id, order.learner_id)
    for planned, expected in ((HOUR, 30 * S), (15 * S, 15 * S)):
        payment.poll_at = NOON + planned
        session.flush()
        polling.retry_soon(session, ref, NOON)
        session.expire_all()
        assert payment.poll_at == NOON + expected


@pytest.mark.each_database
def test_orders_whose_pages_cannot_be_closed_hold_up_no_other_order(session):
    """Twenty of them, as many as a run takes, are tried again when their leases end."""
    lapsed = {"reserved_until": NOON - HOUR}
    stuck = [rows.placed_order(session, code=f"STUCK{number}", name=f"{number}", **lapsed)[0] for number in range(20)]
    other, _payment = rows.placed_order(session, reserved_until=NOON - MINUTE)
    long_due = NOON - polling.CLOSE_WITHIN
    assert other.id not in [order.id for order in expiry.due(session, NOON, 20, long_due)]
    polling.lease_pages(session, [order.id for order in stuck], NOON)
    assert [order.id for order in expiry.due(session, NOON, 20, long_due)] == [other.id]
    assert len(expiry.due(session, NOON + polling.CLOSING_LEASE, 30, long_due)) == 21
    # After a day they expire without.
    assert len(expiry.due(session, NOON, 30, NOON - HOUR)) == 21

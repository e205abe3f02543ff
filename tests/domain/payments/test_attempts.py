"""Opening the hosted page of a payment: one process at a time, one page at a time, within the order's time."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.payments import attempts, settlement
from domain.payments.attempts import Busy, Closed, Opening, OpenPage, Stale
from domain.payments.gateway import HostedPage, PageLine, Reference, SessionRef
from domain.tables import Order, Payment
from tests.domain.payments import rows
from tests.domain.payments.rows import CODE, SHOP
from tests.domain.payments.snapshots import snapshot
from tests.support.factories import NOON

MINUTE = timedelta(minutes=1)
PAGE = HostedPage("cs_1", "https://pay.example/1", NOON + 31 * MINUTE, False)
THREADS = 4


def begin(session: Session, order: Order, at: datetime = NOON):
    return attempts.begin(session, order.learner_id, order.id, SHOP, at)


def opened(session: Session, order: Order, at: datetime = NOON) -> Opening:
    opening = begin(session, order, at)
    assert isinstance(opening, Opening)
    return opening


def payments(session: Session) -> list[tuple[int, str, str]]:
    session.expire_all()
    return [(row.number, row.state, row.key) for row in session.scalars(select(Payment).order_by(Payment.number))]


def test_the_first_call_gets_what_the_gateway_needs(session):
    order, payment = rows.placed_order(session)
    request = opened(session, order, NOON + MINUTE).request
    assert (request.key, request.reference) == (f"{CODE}-1", Reference("shop-uid", CODE, 1))
    assert (request.amount_minor, request.currency, request.email) == (5_000, "USD", "ada@example.test")
    assert (request.opened_at, request.expires_at) == (NOON + MINUTE, NOON + 32 * MINUTE)
    assert request.return_url == f"https://shop.example/completed/{CODE}"
    assert order.reserved_until == NOON + 37 * MINUTE
    assert (payment.poll_at, payment.leased_until) == (
        NOON + MINUTE + attempts.FIRST_POLL,
        NOON + MINUTE + attempts.LEASE,
    )


@pytest.mark.each_database
def test_others_wait_while_one_opens_and_then_use_its_page(session):
    order, _payment = rows.placed_order(session)
    opening = opened(session, order)
    assert begin(session, order, NOON + MINUTE) == Busy()
    assert attempts.store_page(session, opening, PAGE, NOON + MINUTE)
    session.expire_all()
    assert begin(session, order, NOON + 2 * MINUTE) == OpenPage("https://pay.example/1")
    assert payments(session) == [(1, "open", f"{CODE}-1")]


def test_a_lease_that_ran_out_goes_to_the_next_with_the_same_request(session):
    order, _payment = rows.placed_order(session)
    shop = replace(SHOP, settings=replace(SHOP.settings, payment_window=60 * MINUTE))
    first, second = (
        attempts.begin(session, order.learner_id, order.id, shop, at) for at in (NOON, NOON + attempts.LEASE)
    )
    assert isinstance(first, Opening)
    assert isinstance(second, Opening)
    assert second.request == first.request
    assert not attempts.store_page(session, first, PAGE, NOON + attempts.LEASE)
    assert attempts.store_page(session, second, PAGE, NOON + attempts.LEASE)


def test_without_an_answer_the_same_key_is_tried_again_until_it_is_too_late_for_it(session):
    order, _payment = rows.placed_order(session)
    assert attempts.release(session, opened(session, order))
    session.expire_all()
    again = opened(session, order, NOON + MINUTE)
    assert again.request.key == f"{CODE}-1"
    assert attempts.release(session, again)
    session.expire_all()
    # The page that may exist is to be looked for first.
    assert isinstance(begin(session, order, NOON + 2 * MINUTE), Stale)


def test_after_a_refusal_another_attempt_has_another_number(session):
    order, _payment = rows.placed_order(session)
    assert attempts.refuse(session, opened(session, order), "create_session: 400")
    session.expire_all()
    assert opened(session, order, NOON + MINUTE).request.reference.payment == 2
    assert payments(session) == [(1, "failed", f"{CODE}-1"), (2, "new", f"{CODE}-2")]


@pytest.mark.parametrize("state", ["failed", "expired", "void"])
def test_paying_again_is_a_new_attempt_that_keeps_the_order_reserved(session, state):
    order, payment = rows.placed_order(session)
    payment.state = state
    assert opened(session, order, NOON + 30 * MINUTE).request.key == f"{CODE}-2"
    assert order.reserved_until == NOON + 66 * MINUTE


def test_a_page_whose_time_is_over_is_closed_before_another_is_opened(session):
    order, _payment = rows.placed_order(session)
    attempts.store_page(session, opened(session, order), PAGE, NOON)
    session.expire_all()
    stale = begin(session, order, NOON + 30 * MINUTE)
    assert isinstance(stale, Stale)
    assert attempts.session_ref(session, stale.payment.id, SHOP) == SessionRef(
        session_id="cs_1", reference=Reference("shop-uid", CODE, 1), opened_at=NOON
    )


def test_nobody_pays_again_beyond_the_longest_reservation(session):
    order, payment = rows.placed_order(session)
    payment.state = "expired"
    latest = NOON + SHOP.settings.max_reservation - SHOP.settings.payment_window - SHOP.settings.grace
    assert begin(session, order, latest + timedelta(seconds=1)) == Closed("too_late")
    assert (order.reserved_until, payments(session)) == (NOON + 36 * MINUTE, [(1, "expired", f"{CODE}-1")])
    assert isinstance(begin(session, order, latest), Opening)


def test_after_a_failed_debit_there_is_a_day_to_pay_another_way(session):
    order, payment = rows.placed_order(session, reserved_until=NOON + timedelta(days=3))
    payment.state = "failed"
    assert isinstance(begin(session, order, NOON + timedelta(days=2)), Opening)
    assert order.reserved_until == NOON + timedelta(days=3)


@pytest.mark.parametrize("state", ["processing", "paid", "expired", "cancelled", "refunded"])
def test_only_a_placed_order_can_be_paid(session, state):
    order, _payment = rows.placed_order(session, state=state, open_learner_id=None)
    assert begin(session, order) == Closed(state)


def test_a_page_opened_for_a_payment_that_advanced_meanwhile_changes_nothing(session):
    order, payment = rows.placed_order(session)
    opening = opened(session, order)
    payment.state = "paid"
    session.flush()
    assert not attempts.store_page(session, opening, PAGE, NOON)
    assert not attempts.mark_void(session, opening.payment)
    assert payments(session) == [(1, "paid", f"{CODE}-1")]


def test_the_page_lists_the_lines_or_the_order_when_they_are_too_many(session):
    order = rows.order(session, total_minor=5_000)
    lines = [rows.line(session, order, 1, 2_000, quantity=2), rows.line(session, order, 2, 3_000)]
    lines[1].kind, lines[1].name = "delivery", "Express"
    delivery = PageLine("Delivery: Express", 3_000)
    assert attempts.page_lines(order, lines) == (PageLine("2 \u00d7 A course", 2_000), delivery)
    whole = (PageLine(f"Order {CODE}", 5_000),)
    assert attempts.page_lines(order, lines * 50) == whole
    assert attempts.page_lines(order, lines[:1]) == whole


def race(db: Database) -> list[str]:
    """The kinds of results of several who begin at the same moment."""
    with db.write_session() as session:
        order, _payment = rows.placed_order(session)
    gate = Barrier(THREADS)

    def work(_number: int) -> str:
        gate.wait()
        return type(db.write_sync(attempts.begin, order.learner_id, order.id, SHOP, NOON)).__name__

    with ThreadPoolExecutor(THREADS) as threads:
        return sorted(threads.map(work, range(THREADS)))


@pytest.mark.each_database
def test_of_many_at_once_one_opens(database):
    assert race(database) == ["Busy", "Busy", "Busy", "Opening"]


@pytest.mark.each_database
def test_without_the_lease_every_one_would_open(database, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(attempts, "LEASE", timedelta(seconds=-1))
    assert race(database) == ["Opening"] * THREADS


def test_a_lost_answer_is_completed_by_what_is_retrieved(session):
    order, payment = rows.placed_order(session)
    payment.state = "open"
    session.flush()
    attempts.note_page(session, attempts.PaymentRef(payment.id, order.id, order.learner_id), snapshot())
    session.expire_all()
    assert (payment.url, payment.expires_at) == ("https://pay.example/1", NOON + 31 * MINUTE)
    attempts.note_page(
        session, attempts.PaymentRef(payment.id, order.id, order.learner_id), replace(snapshot(), url="https://other")
    )
    session.expire_all()
    assert payment.url == "https://pay.example/1"


def test_the_page_of_a_killed_opener_is_used_as_soon_as_a_poll_has_found_it(session):
    """Not only when the lease has run out."""
    order, _payment = rows.placed_order(session)
    ref = opened(session, order).payment
    assert begin(session, order, NOON + timedelta(seconds=20)) == Busy()
    settlement.apply(session, ref, snapshot(), SHOP, NOON + timedelta(seconds=20))
    attempts.note_page(session, ref, snapshot())
    session.expire_all()
    assert begin(session, order, NOON + timedelta(seconds=21)) == OpenPage("https://pay.example/1")

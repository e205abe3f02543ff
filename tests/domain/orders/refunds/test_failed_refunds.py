"""Refunds that failed: the gateway tries again, or somebody has paid by hand; never both, and nothing twice."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.checkout.priced import RequestedItem
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders.explanation.order_rows import rows_of
from domain.orders.explanation.refunds import refund_differences
from domain.orders.refunds import failed_refunds
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.settings import Context
from domain.orders.views.order import order_view
from domain.payments import refund_calls
from domain.tables import Outbox
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import (
    SETTINGS,
    SOON,
    answer,
    by_command,
    credited,
    mails,
    paid,
    ref,
    refunds,
    snapshot_of,
)
from tests.support import factories

LATE = SOON + timedelta(hours=1)
CONTEXT = Context(LATE, SETTINGS)
FINANCE = Authority("staff:700000000", ("finance",), signed_in_recently=True)


@pytest.fixture
def order(session):
    """A course of 40.00 and three books of 15.00, with delivery of 5.00."""
    world = selling.fill(session)
    return paid(session, world, RequestedItem(world.course), RequestedItem(world.book, 3))


def retry(session, order, number=1, context=CONTEXT, authority=FINANCE):
    return run(session, order, failed_refunds.retry_as_staff, number, authority, context)


def settle(session, order, proof="Transfer 4711", authority=FINANCE, context=CONTEXT):
    return run(session, order, failed_refunds.settle_as_staff, StaffDecision(1, proof), authority, context)


def run(session, order, change, *about):
    actor = factories.actor(order.learner_id, "finance")
    return recording.run(session, actor, change, ref(order), *about)


def fail(session, order, units=None):
    """A refund that the gateway accepted, and whose bank sent it back."""
    by_command(session, order, units=units or {1: None})
    answer(session, order, "pending", "failed")


def to_send(session) -> int:
    return len(session.scalars(select(Outbox).where(Outbox.kind == OutboxKind.SEND_REFUND)).all())


@pytest.mark.each_database
def test_a_refund_that_a_bank_sent_back_is_tried_again_under_another_number_and_credited_once(session, order):
    fail(session, order)
    (found,) = failed_refunds.failed_refunds(session, order.id)
    assert (found.number, found.amount_minor, found.can_retry) == (1, 4000, True)
    sent = to_send(session)
    refund = retry(session, order)
    assert (refund.number, refund.state, refund.gateway_id, to_send(session)) == (2, "approved", None, sent + 1)
    # What the gateway says of the former refund changes nothing any more.
    former = replace(snapshot_of(order, refund, "failed"), id="re_1")
    former = replace(former, reference=replace(former.reference, refund=1))
    selling.apply(session, order, selling.snapshot(order, refunds=(former,)), at=LATE)
    assert [row.state for row in refunds(session)] == ["approved"]
    answer(session, order, "succeeded", at=LATE)
    assert [(row.number, row.state) for row in refunds(session)] == [(2, "succeeded")]
    assert (credited(session), order.refunded_minor) == ([4000], 4000)
    assert mails(session).count("refund_accepted") == 2
    assert list(refund_differences(session, rows_of(session, order.code))) == []


def test_goods_that_went_back_for_sale_do_so_once(session, order):
    by_command(session, order, units={2: 1}, restocks=True)
    answer(session, order, "pending", "failed")
    book = order.id and selling.stock_of(session, refund_item(session, order))
    retry(session, order)
    answer(session, order, "succeeded", at=LATE)
    assert selling.stock_of(session, refund_item(session, order)) == book


def refund_item(session, order):
    return next(line.product_id for line in rows_of(session, order.code).lines if line.fulfilment == "shipped")


def test_a_refund_that_the_gateway_never_made_keeps_its_number_and_is_looked_for_first(session, order):
    refund = by_command(session, order, units={1: None})
    key = refund.key
    refund_calls.refuse(session, refund_calls.ref_of(session, refund.id), "No money in the account.", SOON)
    retry(session, order)
    assert (refund.number, refund.state) == (1, "sent")
    assert refund.key != key
    request = refund_calls.prepare(session, refund_calls.ref_of(session, refund.id), selling.SHOP, LATE)
    assert (request.was_sent, request.key, request.reference.refund) == (True, refund.key, 1)
    answer(session, order, "succeeded", at=LATE)
    assert (credited(session), refunds(session)[0].state) == ([4000], "succeeded")


def test_a_refund_is_tried_again_as_often_as_it_fails(session, order):
    fail(session, order)
    for number in (1, 2):
        retry(session, order, number, Context(LATE + timedelta(minutes=number), SETTINGS))
        answer(session, order, "failed", at=LATE + timedelta(minutes=number, seconds=9))
    assert [(row.number, row.state) for row in refunds(session)] == [(3, "failed")]
    assert list(refund_differences(session, rows_of(session, order.code))) == []


def test_what_was_paid_by_hand_is_kept_with_its_proof_and_ends_it(session, order):
    fail(session, order)
    refund = settle(session, order, proof="  Transfer\n4711 ")
    assert (refund.state, refund.note.splitlines()) == ("manual", ["a reason", "Transfer 4711"])
    assert credited(session) == [4000]
    for again in (settle, retry):
        with pytest.raises(Refused):
            again(session, order)
    assert failed_refunds.failed_refunds(session, order.id) == []


def test_what_was_paid_by_hand_is_not_on_its_way_in_the_timeline(session, order):
    refund = by_command(session, order, units={1: None}, is_manual=True)
    texts = [event.text for event in order_view(session, order.learner_id, order.code, LATE, SETTINGS).events]
    assert (refund.state, texts[-1]) == ("manual", "Refund of $40.00 paid in another way")


def test_what_cannot_be_settled_or_tried_again_is_refused_and_nothing_changes(session, order):
    fail(session, order)
    low = Context(LATE, replace(SETTINGS, support_refund_max_minor=3999))
    with pytest.raises(InvalidInput):
        settle(session, order, proof=" ")
    with pytest.raises(NotFound):
        retry(session, order, 9)
    with pytest.raises(Refused, match="Finance can refund more"):
        settle(session, order, authority=replace(FINANCE, roles=("support",)), context=low)
    with pytest.raises(RecentSignInRequired):
        settle(session, order, authority=replace(FINANCE, signed_in_recently=False), context=low)
    own = replace(FINANCE, actor=f"staff:{order.learner_id}")
    for change in (settle, retry):
        with pytest.raises(Refused, match="your own order"):
            change(session, order, authority=own)
    (row,) = refunds(session)
    assert (row.number, row.state, row.note) == (1, "failed", "a reason")

"""Refunds by staff in their area: what they are shown is what is refunded, within the limits of their roles."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.checkout.priced import RequestedItem
from domain.errors import Refused
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.orders.refunds import staff_refunds
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.refunds.staff_refunds import AreaRefund
from domain.orders.settings import Context
from domain.tables import AuditEvent, Enrolment, Order, VoucherCode
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import SETTINGS, SOON, answer, ask, paid, ref, refunds
from tests.domain.orders.selling import Pricing
from tests.support import factories

CONTEXT = Context(SOON, SETTINGS)
FINANCE = Authority("staff:700000000", ("finance",), signed_in_recently=True)
SUPPORT = replace(FINANCE, roles=("support",))
ONE_BOOK, COURSE, VOUCHERS = {2: 1}, {1: 1}, {3: 2}


@pytest.fixture
def world(session):
    return selling.fill(session)


@pytest.fixture
def order(session, world):
    """A course of 40.00, three books of 15.00, two vouchers of 90.00, and delivery of 5.00: 270.00."""
    lines = (RequestedItem(world.course), RequestedItem(world.book, 3), RequestedItem(world.voucher, 2))
    return paid(session, world, *lines)


def send(session, order, units, amount_minor, authority=FINANCE, **about):
    context = about.pop("context", CONTEXT)
    request = AreaRefund(units, "torn", about.pop("key", "form-1"), amount_minor, **about)
    actor = factories.actor(order.learner_id, *authority.roles)
    return recording.run(session, actor, staff_refunds.refund_as_staff, ref(order), request, authority, context)


def preview(session, order, units, keeps_access=False):
    return staff_refunds.preview(session, ref(order), units, keeps_access, CONTEXT)


def test_the_lines_say_what_is_left_and_that_a_request_waits(session, order):
    # A person decides about every request for a disputed order.
    order.disputed_at = SOON
    ask(session, order, {2: 1}, note="torn")
    send(session, order, {3: 1}, 9000)
    lines = staff_refunds.refundable_lines(session, order.id, CONTEXT)
    assert [(line.number, line.quantity, line.amount_minor, line.is_requested) for line in lines] == [
        (1, 1, 4000, False),
        (2, 2, 3000, True),
        (3, 1, 9000, False),
        (4, 1, 500, False),
    ]


@pytest.mark.each_database
def test_what_is_shown_is_what_is_refunded_and_recorded(session, order):
    shown = preview(session, order, {2: 3})
    assert (shown.amount_minor, shown.lines) == (5000, (("The Book", 3, 4500), ("Standard", 1, 500)))
    row = send(session, order, {2: 3}, shown.amount_minor)
    event = session.scalars(select(AuditEvent)).one()
    assert (row.state, row.actor, event.action, event.subject_id, event.reason) == (
        *("approved", "staff:700000000", "order.refund"),
        *(order.code, "torn"),
    )
    assert (event.before["refunded_minor"], event.after["refunded_minor"], event.after["units"]) == (0, 5000, {"2": 3})


def test_the_same_form_refunds_once(session, order):
    rows = [send(session, order, ONE_BOOK, 1500).id for _ in range(2)]
    assert (len(set(rows)), len(refunds(session)), order.refunded_minor) == (1, 1, 1500)


def test_another_amount_than_the_shown_one_is_refused(session, order):
    with pytest.raises(Refused, match="The amount has changed meanwhile"):
        send(session, order, ONE_BOOK, 1499)


def test_what_ends_is_shown_and_then_ends(session, world, order):
    enrolment = session.scalars(select(Enrolment)).one()
    certificate = factories.certificate(session, enrolment)
    session.scalars(select(VoucherCode).order_by(VoucherCode.number)).first().used_at = SOON
    session.flush()
    shown = preview(session, order, {**COURSE, **VOUCHERS})
    assert shown.ends == (
        "Access to Vat Basics ends.",
        "The certificate of Vat Basics is revoked.",
        "1 unused code of The Voucher can no longer be used.",
        "1 code of The Voucher was used already.",
    )
    send(session, order, {**COURSE, **VOUCHERS}, shown.amount_minor)
    answer(session, order, "succeeded")
    session.refresh(certificate)
    codes = session.scalars(select(VoucherCode), execution_options={"populate_existing": True}).all()
    assert (certificate.revoked_reason, [code.void_at is None for code in codes]) == ("refunded", [True, False])


def test_access_from_another_source_stays_and_so_does_all_where_it_is_kept(session, world, order):
    grants.grant(session, world.learner, [world.course], GrantSource("seat", 1), SOON)
    assert preview(session, order, COURSE).ends == ("Access to Vat Basics stays: it has another source.",)
    assert preview(session, order, COURSE, keeps_access=True).ends == ()


def test_codes_of_a_part_of_a_line_end_too(session, order):
    assert preview(session, order, {3: 1}).ends == ("1 unused code of The Voucher can no longer be used.",)
    for code in session.scalars(select(VoucherCode)):
        code.used_at = SOON
    session.flush()
    assert preview(session, order, {3: 1}).ends == ("1 code of The Voucher was used already.",)


def test_what_can_end_with_a_refund_is_known_before_anything_is_chosen(session, world, order):
    assert staff_refunds.ends_something(session, order.id, CONTEXT)


def test_with_books_alone_nothing_can_end(session, world):
    books = paid(session, world, RequestedItem(world.book, 2))
    assert not staff_refunds.ends_something(session, books.id, CONTEXT)


def test_the_coupon_of_a_cart_ends_with_the_last_line_that_it_lowered(session, world):
    order = paid(
        session, world, RequestedItem(world.book, 2), pricing=Pricing(on_cart=world.coupon, delivery_minor=500)
    )
    assert preview(session, order, {1: 1}).ends == ()
    assert preview(session, order, {1: 2}).ends == ("1 use of the coupon SPRING can be made again.",)


LIMITS = {
    "support up to its limit": (SUPPORT, {3: 2, 2: 1}, 19500, 19500, None),
    "support above it": (SUPPORT, {3: 2, 2: 1}, 19500, 19499, Refused),
    "finance above it, signed in just now": (FINANCE, {3: 2}, 18000, 0, None),
    "finance above it, signed in long ago": (
        replace(FINANCE, signed_in_recently=False),
        *({3: 2}, 18000, 0, RecentSignInRequired),
    ),
    "finance below it, signed in long ago": (replace(FINANCE, signed_in_recently=False), {3: 2}, 18000, 18000, None),
    "support with finance": (replace(SUPPORT, roles=("support", "finance")), {3: 2}, 18000, 0, None),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits(session, order, name):
    authority, units, amount, limit, error = LIMITS[name]
    context = replace(CONTEXT, settings=replace(SETTINGS, support_refund_max_minor=limit))
    if error is None:
        assert send(session, order, units, amount, authority, context=context).amount_minor == amount
        return
    with pytest.raises(error):
        send(session, order, units, amount, authority, context=context)


def test_several_small_refunds_of_support_make_no_larger_one(session, order):
    context = replace(CONTEXT, settings=replace(SETTINGS, support_refund_max_minor=10000))
    send(session, order, {3: 1}, 9000, SUPPORT, context=context)
    with pytest.raises(Refused, match=r"Support refunds up to \$100\.00 of an order"):
        send(session, order, ONE_BOOK, 1500, SUPPORT, context=context, key="form-2")


def test_after_the_days_of_the_terms_support_refunds_nothing_and_finance_does(session, order):
    late = replace(CONTEXT, at=SOON + timedelta(days=30))
    with pytest.raises(Refused, match="Line 1: The 14 days to ask for a refund of this ended"):
        send(session, order, COURSE, 4000, SUPPORT, context=late)
    assert send(session, order, COURSE, 4000, FINANCE, context=late).amount_minor == 4000


@pytest.mark.parametrize("role", ["support", "finance", "administrator"])
def test_nobody_refunds_their_own_order(session, order, role):
    own = Authority(f"staff:{order.learner_id}", (role,), signed_in_recently=True)
    with pytest.raises(Refused, match="This is your own order"):
        send(session, order, ONE_BOOK, 1500, own)
    assert session.get_one(Order, order.id).refunded_minor == 0

"""The state of an order in words, with what to do next."""

from dataclasses import replace
from datetime import timedelta

import pytest

from domain.checkout.priced import RequestedItem
from domain.orders.refunds import gateway_results
from domain.orders.settings import Context
from domain.orders.views import status as order_status
from domain.orders.views.state_texts import gift_text, listed_text
from domain.payments.gateway import DisputeSnapshot
from domain.tables import Gift, Payment
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.domain.orders.views.reading import (
    HOUR,
    cancelled,
    debit_failed,
    dispute_lost,
    disputed,
    expired,
    late,
    late_refund_failed,
    nothing,
    part_refund_failed,
    processing,
    refund,
    refund_approved,
    refund_failed,
    refund_paid_manually,
    status,
    view,
)
from tests.support.factories import NOON
from tests.support.statements import counted

STATES = {
    "waiting": (nothing, LATER, "placed", "Waiting for payment", True, True),
    "its time is over": (nothing, NOON + 2 * HOUR, "placed", "Waiting for payment", False, True),
    "a debit is under way": (processing, LATER, "processing", "Payment on its way", False, False),
    "a debit failed": (debit_failed, LATER, "placed", "Waiting for payment", True, True),
    "paid": (selling.pay, LATER, "paid", "Paid", False, False),
    "disputed": (disputed, LATER, "paid", "Paid, disputed", False, False),
    "cancelled": (cancelled, LATER, "cancelled", "Cancelled", False, True),
    "expired": (expired, NOON + HOUR, "expired", "Expired", False, True),
    "paid too late": (late, NOON + HOUR, "expired", "Paid too late and refunded", False, False),
    "paid too late, the refund failed": (
        late_refund_failed,
        NOON + HOUR,
        "expired",
        "Paid too late, refund failed",
        False,
        False,
    ),
    "refunded, which failed": (refund_failed, LATER, "refunded", "Refund failed", False, False),
    "partly refunded, which failed": (part_refund_failed, LATER, "paid", "Refund failed", False, False),
    "refund paid in another way": (refund_paid_manually, LATER, "refunded", "Refunded", False, False),
    "a refund is under way": (refund_approved, LATER, "paid", "Refunded", False, False),
    "lost to a dispute": (dispute_lost, LATER, "refunded", "Refunded", False, False),
}


NEXT_STEPS = {
    "waiting": "Pay to complete it",
    "its time is over": "The time to pay is over",
    "a debit is under way": "nothing that you need to do",
    "a debit failed": "Pay to complete it",
    "paid": "receipt",
    "disputed": "dispute",
    "cancelled": "You can order again",
    "expired": "nothing was charged",
    "paid too late": "You get all of it back",
    "paid too late, the refund failed": "no longer available. Our refund did not reach you. We will find another way",
    "refunded, which failed": "Our refund did not reach you. We will find another way",
    "partly refunded, which failed": "Our refund did not reach you. We will find another way",
    "refund paid in another way": "You got back what you paid",
    "a refund is under way": "What you paid is on its way back to you.",
    "lost to a dispute": "Your bank has taken back what you paid for this order",
}


TONES = {
    "waiting": "warning",
    "a debit is under way": "info",
    "paid": "good",
    "disputed": "warning",
    "cancelled": "neutral",
    "expired": "neutral",
    "paid too late": "info",
    "paid too late, the refund failed": "warning",
    "refunded, which failed": "warning",
    "partly refunded, which failed": "warning",
    "refund paid in another way": "info",
}


@pytest.mark.parametrize("case", STATES)
def test_every_state_is_said_in_words_with_what_to_do_next(session, world, case):
    change, at, state, text, can_pay, is_settling = STATES[case]
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    change(session, order)
    session.flush()
    shown = status(session, order, at)
    assert (shown.state, shown.state_text, shown.can_pay, shown.is_settling) == (state, text, can_pay, is_settling)
    assert NEXT_STEPS[case] in shown.next_step
    whole = view(session, order, at)
    assert (whole.state_text, whole.next_step, whole.can_pay) == (shown.state_text, shown.next_step, can_pay)
    assert whole.can_cancel == (state == "placed")
    assert whole.tone == shown.tone == TONES.get(case, shown.tone)


def test_all_refunded_is_said_also_of_the_payment(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    selling.pay(session, order)
    row = refund(session, order, 1)
    gateway_results.accept(session, order, row, Context(LATER, SETTINGS))
    shown = view(session, order)
    assert (shown.state, shown.state_text) == ("refunded", "Refunded")
    assert [payment.state_text for payment in shown.payments] == ["Paid and refunded"]


def test_money_of_a_failed_refund_is_owed_and_not_called_refunded(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    refund_failed(session, order)
    shown = view(session, order)
    [line, payment] = [shown.lines[0], shown.payments[0]]
    assert (shown.totals.refunded, shown.totals.owed) == (0, order.total_minor)
    assert (line.refunded, line.owed) == (0, line.total)
    assert (payment.state_text, payment.refunded) == ("Paid; a refund did not reach you", 0)


def test_once_it_is_paid_in_another_way_nothing_is_owed(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    refund_paid_manually(session, order)
    shown = view(session, order)
    assert (shown.totals.refunded, shown.totals.owed, shown.lines[0].owed) == (order.total_minor, 0, 0)


def test_of_an_order_of_nothing_nothing_is_paid_back(session, world):
    free = selling.Pricing(free={world.book: world.coupon})
    order = selling.buy(session, world.learner, RequestedItem(world.book), pricing=free)
    assert refund(session, order, 1).state == "succeeded"
    shown = view(session, order)
    assert (shown.state, shown.state_text) == ("refunded", "Returned")
    assert shown.next_step.endswith("Nothing was charged, so nothing is paid back.")
    assert [event.text for event in shown.events][-2:] == ["There was nothing to pay back", "Everything was taken back"]


FAILURES = [
    (
        "Your card was declined.",
        "cs_1",
        "Your card was declined. Nothing was charged. Try again, or pay in another way.",
    ),
    ("card_declined", "cs_1", "The payment was declined. Nothing was charged. Try again, or pay in another way."),
    ("create_session: 400", None, "The page to pay on could not be opened. Nothing was charged. Try again."),
    ("", "cs_1", ""),
]


@pytest.mark.parametrize(("failure", "session_id", "text"), FAILURES)
def test_a_failed_payment_says_why_and_what_to_do(session, world, failure, session_id, text):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    payment: Payment = selling.payment_of(session, order)
    payment.state, payment.failure, payment.session_id = "failed", failure, session_id
    session.flush()
    assert view(session, order).payments[0].failure == text


@pytest.mark.each_database
def test_the_state_of_an_order_takes_three_statements(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    learner_id, code = order.learner_id, order.code
    with counted(session) as statements:
        order_status.status_view(session, learner_id, code, LATER, SETTINGS)
    assert len(statements) == 3


def test_a_list_says_refunded_only_of_an_order_that_is_refunded_as_a_whole():
    assert [listed_text("paid", refunded, 4900) for refunded in (0, 100, 4900)] == [
        "Paid",
        "Partly refunded",
        "Refunded",
    ]
    assert listed_text("refunded", 4900, 4900) == "Refunded"


def test_who_got_all_of_it_back_and_keeps_it_is_not_told_of_a_part(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    selling.pay(session, order)
    order.refunded_minor = order.total_minor
    session.flush()
    shown = status(session, order)
    assert (shown.state, shown.state_text) == ("paid", "Refunded")
    assert shown.next_step.startswith("You got back what you paid, and what you ordered stays yours.")


def test_a_dispute_over_a_part_is_told_as_that_and_one_that_is_won_later_as_paid_again(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    selling.pay(session, order)
    lost = DisputeSnapshot("dp_1", "closed", 1_000, "USD", LATER, "fraudulent", 1_000, 1)
    selling.apply(session, order, selling.snapshot(order, disputes=(lost,)))
    shown = view(session, order)
    assert shown.state_text == "Partly refunded, disputed"
    assert "It took back a part of what you paid after a dispute." in shown.next_step
    won = replace(lost, taken_minor=0, movements=2)
    selling.apply(session, order, selling.snapshot(order, disputes=(won,)))
    shown = view(session, order)
    assert (shown.state_text, [refund.state_text for refund in shown.refunds]) == (
        "Paid",
        ["Paid back", "Paid after all"],
    )
    told = [event.text for event in shown.events]
    assert [text for text in told if text.startswith("Your bank")] == [
        "Your bank took $10.00 back",
        "Your bank paid $10.00 after all",
    ]


@pytest.mark.parametrize(
    ("sent_in_hours", "has_day", "text"),
    [
        (0, False, "Our email to them is on its way"),
        # The clock of the page may be behind that of the payment.
        (0.001, False, "Our email to them is on its way"),
        (24, True, "We write to them on that day"),
        (0, True, "Our email to them is on its way"),
    ],
)
def test_a_gift_waits_for_a_day_only_where_one_was_chosen(sent_in_hours, has_day, text):
    gift = Gift(state="waiting", send_at=NOON + timedelta(hours=sent_in_hours))
    assert gift_text(gift, NOON, has_day=has_day) == text

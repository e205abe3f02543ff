"""The state of an order in words, with what to do next."""

import pytest

from domain.checkout.priced import RequestedItem
from domain.orders import views
from domain.orders.refunds import results
from domain.orders.settings import Context
from domain.tables import Payment
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.domain.orders.statements import counted
from tests.domain.orders.views.reading import (
    HOUR,
    cancelled,
    debit_failed,
    disputed,
    expired,
    late,
    late_refund_failed,
    nothing,
    part_refund_failed,
    processing,
    refund,
    refund_failed,
    refund_paid_manually,
    status,
    view,
)
from tests.support.factories import NOON

STATES = {
    "waiting": (nothing, LATER, "placed", "Waiting for payment", True, True),
    "its time is over": (nothing, NOON + 2 * HOUR, "placed", "Waiting for payment", False, True),
    "a debit is under way": (processing, LATER, "processing", "Payment on its way", False, False),
    "a debit failed": (debit_failed, LATER, "placed", "Waiting for payment", True, True),
    "paid": (selling.pay, LATER, "paid", "Paid", False, False),
    "disputed": (disputed, LATER, "paid", "Paid", False, False),
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


def test_all_refunded_is_said_also_of_the_payment(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    selling.pay(session, order)
    row = refund(session, order, 1)
    results.accept(session, order, row, Context(LATER, SETTINGS))
    shown = view(session, order)
    assert (shown.state, shown.state_text) == ("refunded", "Refunded")
    assert [payment.state_text for payment in shown.payments] == ["Paid and refunded"]


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


def test_the_state_of_an_order_takes_three_statements(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.course))
    learner_id, code = order.learner_id, order.code
    with counted(session) as statements:
        views.status_view(session, learner_id, code, LATER, SETTINGS)
    assert len(statements) == 3

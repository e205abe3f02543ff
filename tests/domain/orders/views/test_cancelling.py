"""Orders that their learner cancels."""

import pytest

from domain.checkout.priced import RequestedItem
from domain.errors import NotFound
from domain.orders import expiry
from domain.orders.settings import Context
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.domain.orders.views.reading import (
    cancelled,
    expired,
    processing,
    view,
)

NOT_CANCELLED = {
    "processing": (processing, "Your bank is making the payment"),
    "paid": (selling.pay, "ask for a refund"),
    "expired": (expired, "time to pay is over"),
}


@pytest.mark.parametrize("case", NOT_CANCELLED)
def test_only_an_order_that_waits_for_its_payment_is_cancelled(session, world, case):
    change, text = NOT_CANCELLED[case]
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    change(session, order)
    state = order.state
    refusal = expiry.cancel_own(session, world.learner, order.code, Context(LATER, SETTINGS))
    assert refusal is not None
    assert text in refusal
    assert order.state == state


@pytest.mark.each_database
def test_a_cancelled_order_gives_back_what_it_had_reserved_and_stays_cancelled(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book, 5))
    cancelled(session, order)
    cancelled(session, order)
    assert (order.state, selling.stock_of(session, world.book)) == ("cancelled", 5)
    assert [event.text for event in view(session, order).events][-1] == "You cancelled the order"


def test_nobody_else_cancels_an_order(session, world):
    order = selling.buy(session, world.learner, RequestedItem(world.book))
    other = selling.another_learner(session).id
    for code in (order.code, "A" * 20):
        with pytest.raises(NotFound, match="There is no such order in your account"):
            expiry.cancel_own(session, other, code, Context(LATER, SETTINGS))
    assert order.state == "placed"

"""Payments that arrive after the end of their order: paid where everything is still there, else sent back whole."""

import contextlib

import pytest

from domain.checkout.priced import RequestedItem
from domain.learning import grants
from domain.orders import events, expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.payments import late_payments
from domain.tables import Reservation
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, Pricing
from tests.domain.payments.settled import NEXT_DAY, all_of, expire, kinds, owned, refunds


@pytest.mark.parametrize("end", ["expire", "supersede"])
def test_a_late_payment_for_what_is_still_there_pays(session, order, world, end):
    ended = DueOrder(order.id, order.learner_id)
    expiry.cancel(session, ended, "supersede", events.LEARNER, Context(LATER, SETTINGS)) if end == "supersede" else (
        expire(session, order)
    )
    assert selling.pay(session, order, NEXT_DAY) == "settled"
    assert (order.state, order.ended_at, selling.stock_of(session, world.book)) == ("paid", None, 4)
    assert [row.state for row in all_of(session, Reservation)] == ["committed"]
    assert (owned(session, world), refunds(session)) == ({world.course}, [])


def late_without_a_piece(session, world):
    """A late payment of an order with a coupon and a book, of which the last piece is gone."""
    pricing = Pricing(free={world.course: world.coupon})
    lines = (RequestedItem(world.course, coupon_id=world.coupon), RequestedItem(world.book))
    order = selling.buy(session, world.learner, *lines, pricing=pricing)
    expire(session, order)
    other = selling.another_learner(session).id
    selling.pay(session, selling.buy(session, other, RequestedItem(world.book, 5), key="other"))
    return order


@pytest.mark.each_database
def test_a_late_payment_for_what_is_gone_goes_back_and_takes_nothing(session, world):
    order = late_without_a_piece(session, world)
    count = order.event_count
    assert selling.pay(session, order, NEXT_DAY) == "late"
    assert (order.state, order.paid_at) == ("expired", None)
    assert refunds(session) == [(1, "late", "approved", 1500)]
    assert (selling.stock_of(session, world.book), selling.uses_of(session, world.coupon)) == (0, 0)
    assert owned(session, world) == set()
    assert [event.kind for event in events.timeline(session, order.id)[count:]] == ["paid_late", "refund_approved"]
    assert kinds(session)[-2:] == ["payments.refund", "mail.late_refunded"]
    assert selling.pay(session, order, NEXT_DAY) == "unchanged"


@contextlib.contextmanager
def nothing():
    yield


@pytest.mark.each_database
def test_without_the_savepoint_a_refused_late_payment_takes_what_was_there(session, world, monkeypatch):
    """The negative control: the coupon of the other line stays counted for an order that is not paid."""
    order = late_without_a_piece(session, world)
    claims = list(late_payments.needed_reservations(session, order).items())
    # The coupon first, so that something is taken before the missing piece is found.
    by_kind = dict(sorted(claims, key=lambda one: one[0][0].kind))
    monkeypatch.setattr(late_payments, "needed_reservations", lambda *_: by_kind)
    monkeypatch.setattr(session, "begin_nested", nothing)
    assert selling.pay(session, order, NEXT_DAY) == "late"
    assert selling.uses_of(session, world.coupon) == 1


def test_a_late_payment_for_a_course_that_is_owned_by_now_goes_back(session, order, world):
    expire(session, order)
    grants.grant(session, world.learner, [world.course], grants.GrantSource("seat", 1), NEXT_DAY)
    assert selling.pay(session, order, NEXT_DAY) == "late"
    assert selling.stock_of(session, world.book) == 5

"""A guest's cart on another device: a link shows it for a day, and changes a cart only when it is taken over."""

from datetime import timedelta

import pytest

from domain.cart import views as cart_views
from domain.cart.cart_coupon import coupon_of, set_cart_coupon
from domain.cart.owners import Owner, RequestedLine
from domain.checkout import cart_links
from domain.tables import CartLink
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

DAY = timedelta(days=1)
GUEST = Owner(guest_key="a" * 64)


@pytest.fixture
def book(session):
    return factories.item(session, factories.category(session).id)


def lines_of(session, learner_id):
    return [
        (line.product.id, line.priced.quantity)
        for line in cart_views.learner_cart(session, learner_id, NOON, SHOP).lines
    ]


def test_a_link_is_stored_as_a_digest_and_opens_nothing_but_its_lines(session, book):
    ada = factories.learner(session)
    secret = cart_links.create(session, GUEST, [RequestedLine(book.id, 3)], NOON)
    assert len(secret) == 22
    assert secret not in str(vars(session.query(CartLink).one()))
    assert cart_links.read(session, secret, NOON) == cart_links.LinkedCart((RequestedLine(book.id, 3),), None)
    assert lines_of(session, ada.id) == []


def test_a_link_of_more_than_a_day_ago_and_an_unknown_one_are_alike(session, book):
    ada = factories.learner(session)
    secret = cart_links.create(session, GUEST, [RequestedLine(book.id)], NOON)
    for attempt, at in ((secret, NOON + DAY), ("x" * 22, NOON), ("", NOON), ("x" * 500, NOON)):
        assert cart_links.read(session, attempt, at) is None
        assert cart_links.take_over(session, ada.id, attempt, at) is None
    assert lines_of(session, ada.id) == []
    assert cart_links.delete_expired(session, NOON + DAY) == 1


@pytest.mark.each_database
def test_lines_are_taken_over_once_however_often_the_button_is_pressed(session, book):
    ada = factories.learner(session)
    secret = cart_links.create(session, GUEST, [RequestedLine(book.id, 3), RequestedLine(10**9)], NOON)
    for expected in ("added", "kept"):
        merged = cart_links.take_over(session, ada.id, secret, NOON)
        assert [line.outcome for line in merged] == [expected, "refused"]
        assert lines_of(session, ada.id) == [(book.id, 3)]


@pytest.mark.parametrize("has_own", [True, False])
def test_the_guests_coupon_comes_with_the_lines_unless_there_is_one(session, book, has_own):
    ada = factories.learner(session)
    guests, own = factories.coupon(session, "GUEST"), factories.coupon(session, "OWN")
    set_cart_coupon(session, GUEST, guests.id, NOON)
    if has_own:
        set_cart_coupon(session, Owner(ada.id), own.id, NOON)
    secret = cart_links.create(session, GUEST, [RequestedLine(book.id)], NOON)
    cart_links.take_over(session, ada.id, secret, NOON)
    assert coupon_of(session, Owner(ada.id), NOON) == (own.id if has_own else guests.id)

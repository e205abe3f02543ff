"""Wishes: once each, with the price they were made at."""

from decimal import Decimal

import pytest

from domain import cart, wishlist
from tests import factories
from tests.factories import NOON


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def shop(session) -> tuple[int, int]:
    tax = factories.category(session)
    return factories.course(session, tax.id, "vat").id, factories.course(session, tax.id, "old", status="retired").id


def shown(session, learner_id: int) -> list[tuple]:
    found = wishlist.of_learner(session, learner_id, NOON)
    return [(one.product.id, one.price, one.seen_price, one.is_sold) for one in found]


def test_a_wish_is_kept_once_with_the_price_of_its_day(session, ada, shop):
    assert [wishlist.put(session, ada, shop[0], NOON) for _ in range(2)] == [None, None]
    assert shown(session, ada) == [(shop[0], 100, 100, True)]


def test_what_is_no_longer_sold_is_not_wished_for(session, ada, shop):
    refused = [wishlist.put(session, ada, one, NOON) for one in (shop[1], 999_999)]
    assert refused == ["This is not in the shop. It may have been withdrawn."] * 2
    assert shown(session, ada) == []


def test_a_guests_wishes_join_and_keep_the_price_they_saw(session, ada, shop):
    wishlist.merge(session, ada, {shop[0]: Decimal("120.00"), shop[1]: None, 999_999: None}, NOON)
    wishlist.merge(session, ada, {shop[0]: Decimal("1.00")}, NOON)
    assert shown(session, ada) == [(shop[0], 100, 120, True)]


def test_a_guests_list_says_what_is_sold_no_more_and_leaves_out_what_never_was(session, shop):
    found = wishlist.look(session, None, {shop[1]: Decimal(90), shop[0]: None, 999_999: None}, NOON)
    assert [(one.product.id, one.is_sold, one.seen_price) for one in found] == [
        (shop[1], False, 90),
        (shop[0], True, None),
    ]


def test_a_wish_moves_to_the_cart_or_stays(session, ada, shop):
    wishlist.put(session, ada, shop[0], NOON)
    assert wishlist.move(session, ada, shop[0], NOON) is None
    assert (shown(session, ada), len(cart.of_learner(session, ada, NOON).lines)) == ([], 1)
    assert wishlist.move(session, ada, shop[1], NOON) == "Old is no longer sold."


def test_a_list_holds_so_many(session, ada, shop, monkeypatch):
    monkeypatch.setattr(wishlist, "MOST_WISHES", 0)
    assert wishlist.put(session, ada, shop[0], NOON) == "A wishlist holds 0 things. Take something off it first."


def test_taking_a_wish_off_twice_is_harmless(session, ada, shop):
    wishlist.put(session, ada, shop[0], NOON)
    for _ in range(2):
        wishlist.take_off(session, ada, shop[0])
    assert shown(session, ada) == []

"""Wishlists: every product once, with the price at which it was added."""

from decimal import Decimal

import pytest

from domain import wishlist
from domain.cart import views as cart_views
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def shop(session) -> tuple[int, int]:
    tax = factories.category(session)
    return factories.course(session, tax.id, "vat").id, factories.course(session, tax.id, "old", status="retired").id


def shown(session, learner_id: int) -> list[tuple]:
    items = wishlist.learner_wishlist(session, learner_id, NOON)
    return [(item.product.id, item.price, item.seen_price, item.is_available) for item in items]


@pytest.mark.each_database
def test_an_item_is_stored_once_with_its_price_when_added(session, ada, shop):
    assert [wishlist.add(session, ada, shop[0], NOON) for _ in range(2)] == [None, None]
    assert shown(session, ada) == [(shop[0], 100, 100, True)]


def test_a_product_that_is_not_sold_is_not_added(session, ada, shop):
    refused = [wishlist.add(session, ada, product, NOON) for product in (shop[1], 999_999)]
    assert refused == ["This is not in the shop. It may have been withdrawn."] * 2
    assert shown(session, ada) == []


@pytest.mark.each_database
def test_a_guests_items_are_merged_with_the_price_they_saw(session, ada, shop):
    wishlist.merge(session, ada, {shop[0]: Decimal("120.00"), shop[1]: None, 999_999: None}, NOON)
    wishlist.merge(session, ada, {shop[0]: Decimal("1.00")}, NOON)
    assert shown(session, ada) == [(shop[0], 100, 120, True)]


def test_a_guests_preview_marks_retired_products_and_omits_unknown_ones(session, shop):
    items = wishlist.preview(session, None, {shop[1]: Decimal(90), shop[0]: None, 999_999: None}, NOON)
    assert [(item.product.id, item.is_available, item.seen_price) for item in items] == [
        (shop[1], False, 90),
        (shop[0], True, None),
    ]


def test_an_item_moves_to_the_cart_or_stays(session, ada, shop):
    wishlist.add(session, ada, shop[0], NOON)
    assert wishlist.move(session, ada, shop[0], NOON) is None
    assert (shown(session, ada), len(cart_views.learner_cart(session, ada, NOON, SHOP).lines)) == ([], 1)
    assert wishlist.move(session, ada, shop[1], NOON) == "Old is no longer sold."


def test_a_wishlist_has_a_maximum(session, ada, shop, monkeypatch):
    monkeypatch.setattr(wishlist, "MAX_ITEMS", 0)
    assert wishlist.add(session, ada, shop[0], NOON) == "A wishlist holds 0 items. Remove one first."


def test_removing_an_item_twice_is_harmless(session, ada, shop):
    wishlist.add(session, ada, shop[0], NOON)
    for _ in range(2):
        wishlist.remove(session, ada, shop[0])
    assert shown(session, ada) == []

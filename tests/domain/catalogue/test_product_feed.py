"""What of the product feed changed since when, as several processes note it."""

from datetime import timedelta

import pytest

from domain.catalogue import product_feed
from domain.catalogue.gtin import gtin_of
from tests.support.factories import NOON

MINUTE = timedelta(minutes=1)
A, B, C = ("a" * 64, "b" * 64, "c" * 64)


def note(session, digests, version, at):
    changed = product_feed.differences(session, digests, -1, None)
    return product_feed.record(session, changed, version, at, at)


@pytest.mark.each_database
def test_each_change_has_a_number_and_a_removed_product_is_remembered(session):
    assert product_feed.number(session) == 0
    assert note(session, {1: A, 2: B}, 1, NOON) == 1
    assert note(session, {1: A, 2: B}, 2, NOON + MINUTE) == 1
    assert note(session, {1: C}, 3, NOON + 2 * MINUTE) == 2
    assert product_feed.differences(session, {1: C}, -1, None) == {}
    assert note(session, {1: C, 2: B}, 4, NOON + 3 * MINUTE) == 3
    assert product_feed.changed_after(session, 0, 3) == {1: NOON + 2 * MINUTE, 2: NOON + 3 * MINUTE}
    assert list(product_feed.changed_after(session, 2, 3)) == [2]
    assert list(product_feed.changed_after(session, 1, 2)) == [1]
    assert list(product_feed.changed_after(session, NOON + 8 * MINUTE, 3)) == [2]


@pytest.mark.each_database
def test_an_older_catalogue_does_not_undo_what_a_newer_one_has_noted(session):
    note(session, {1: A}, 7, NOON)
    assert note(session, {1: B}, 6, NOON + MINUTE) is None
    assert note(session, {1: B}, 7, NOON - MINUTE) is None
    assert product_feed.differences(session, {1: A}, -1, None) == {}
    # Another process has read this catalogue too.
    assert note(session, {1: A}, 7, NOON) == 1


def test_the_products_of_a_range_are_compared_with_those_of_the_same_range(session):
    note(session, {1: A, 2: B, 7: C}, 1, NOON)
    assert product_feed.differences(session, {1: A}, -1, 2) == {2: ""}
    assert product_feed.differences(session, {3: A}, 2, 6) == {3: A}
    assert product_feed.differences(session, {}, 6, None) == {7: ""}


@pytest.mark.parametrize(
    ("sku", "kind", "gtin"),
    [
        ("978-0-306-40615-7", "book", "9780306406157"),
        ("0306406152", "book", "9780306406157"),
        ("978-0-306-40615-8", "book", ""),
        ("BK-2026", "book", ""),
        ("4006381333931", "physical", "4006381333931"),
        ("036000291452", "physical", "036000291452"),
        ("4006381333932", "physical", ""),
        # Numbers that a shop gives out for itself.
        ("2006381333934", "physical", ""),
        ("4006381333931", "voucher", ""),
        ("", "book", ""),
        ("4006381333931", None, ""),
    ],
)
def test_a_stock_number_that_the_whole_trade_knows_is_said(sku, kind, gtin):
    assert gtin_of(sku, kind) == gtin

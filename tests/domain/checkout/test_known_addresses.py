"""The next checkout begins with the addresses of the last order, until the learner forgets them."""

import pytest

from domain.cart import lines as cart_lines
from domain.checkout import checkout_form, drafts, known_addresses, purchase
from domain.checkout.placement import Placed
from domain.checkout.purchase import PlaceForm, PurchaseTerms
from domain.orders.settings import Context
from tests.domain.orders import selling
from tests.domain.orders.selling import SETTINGS
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

VALUES = {"billing.name": "Ada Lovelace", "billing.country": "US", "buyer": "private", "billing.country_area": ""}
KNOWN = {"billing.name": "Ada Lovelace", "billing.country": "US", "buyer": "private"}


@pytest.fixture
def world(session):
    return selling.fill(session)


def order(session, world, key="key-1", **values):
    assert cart_lines.add(session, world.learner, world.voucher, NOON) is None
    seen = checkout_form.read(session, world.learner, SHOP, SETTINGS, NOON).quoted.price.seen
    form = PlaceForm(key=key, seen=seen, values={**VALUES, **values}, terms="2026-01-01")
    placed = purchase.place_cart(
        session, world.learner, form, PurchaseTerms(SHOP, "2026-01-01"), Context(NOON, SETTINGS)
    )
    assert isinstance(placed, Placed)


def shown(session, learner_id):
    groups = checkout_form.read(session, learner_id, SHOP, SETTINGS, NOON).groups
    return {field.name: field.value for group in groups for field in group.fields}


@pytest.mark.each_database
def test_the_addresses_of_the_last_order_are_filled_in(session, world):
    order(session, world)
    order(session, world, "key-2", **{"billing.name": "Ada King"})
    assert known_addresses.read(session, world.learner) == {**KNOWN, "billing.name": "Ada King"}
    assert shown(session, world.learner)["billing.name"] == "Ada King"


ONE = {"billing.name": "Ada", "billing.country_area": "TX"}
OTHER = {"delivery.name": "Grace", "delivery.postal_code": "10115"}
ADDRESSES = {
    "of a bill": (ONE, {**ONE, "delivery.name": "Ada", "delivery.country_area": "TX"}),
    "of a delivery": (OTHER, {**OTHER, "billing.name": "Grace", "billing.postal_code": "10115"}),
    "two": ({**ONE, **OTHER}, {**ONE, **OTHER}),
    "a bill with a VAT id": (
        {**ONE, "billing.vat_id": "X"},
        {**ONE, "billing.vat_id": "X"} | {"delivery.name": "Ada", "delivery.country_area": "TX"},
    ),
    "none": ({}, {}),
}


@pytest.mark.parametrize(("known", "filled"), ADDRESSES.values(), ids=ADDRESSES)
def test_one_address_that_is_known_is_filled_in_for_delivery_and_bill(known, filled):
    assert known_addresses.of_both(known) == filled


def test_what_is_typed_now_counts_more_and_gifts_are_not_remembered(session, world):
    order(session, world, **{"gift.7.chosen": "yes"})
    assert known_addresses.read(session, world.learner) == KNOWN
    drafts.store(session, world.learner, {"billing.name": "A. K."}, NOON)
    assert shown(session, world.learner)["billing.name"] == "A. K."


def test_what_is_forgotten_is_not_filled_in_and_others_keep_theirs(session, world):
    order(session, world)
    grace = factories.learner(session, "Grace Hopper").id
    known_addresses.remember(session, grace, VALUES, NOON)
    known_addresses.forget(session, world.learner)
    assert (known_addresses.read(session, world.learner), known_addresses.read(session, grace)) == ({}, KNOWN)
    # What is left is the name of the account.
    assert shown(session, world.learner)["billing.name"] == "Ada Lovelace"
    assert shown(session, world.learner)["billing.country"] == SHOP.country


@pytest.mark.each_database
def test_what_is_typed_for_an_order_that_is_not_placed_is_forgotten_too_but_not_its_gifts(session, world):
    drafts.store(session, world.learner, {**VALUES, "billing.name": "A. K.", "buyer": "business"}, NOON)
    known_addresses.forget(session, world.learner)
    assert drafts.read(session, world.learner, NOON) is None
    assert shown(session, world.learner)["billing.name"] == "Ada Lovelace"
    assert cart_lines.add(session, world.learner, world.course, NOON) is None
    gift = {f"gift.{world.course}.chosen": "yes", f"gift.{world.course}.message": "For you"}
    drafts.store(session, world.learner, {**VALUES, **gift}, NOON)
    known_addresses.forget(session, world.learner)
    assert drafts.read_values(session, world.learner, NOON) == gift

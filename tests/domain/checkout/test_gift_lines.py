"""Gifts in the cart: they may be something that the learner owns, and the checkout opens with them marked."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.cart import lines as cart_lines
from domain.cart import views as cart_views
from domain.checkout import checkout_form, drafts, gift_lines
from domain.checkout.form_fields import CHECKED
from domain.checkout.priced import CheckoutLine
from domain.checkout.purchase_checks import line_refusals
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.orders.settings import OrderSettings
from domain.tables import Order, Product
from tests.domain.orders import selling
from tests.domain.orders.selling import RequestedItem
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def owned(session, ada) -> int:
    course = factories.course(session, factories.category(session).id, "vat", name="VAT")
    grants.grant(session, ada, [course.id], GrantSource("order", 1), NOON)
    return course.id


def gifts_in_cart(session, learner_id) -> list[tuple[int, bool]]:
    return [(line.product.id, line.is_gift) for line in cart_views.learner_cart(session, learner_id, NOON, SHOP).lines]


def form_values(session, learner_id) -> dict[str, str]:
    form = checkout_form.read(session, learner_id, SHOP, OrderSettings(), NOON)
    return {field.name: field.value for group in form.groups if group.name == "gift" for field in group.fields}


@pytest.mark.each_database
def test_what_the_learner_owns_can_be_added_as_a_gift_alone(session, ada, owned):
    assert cart_lines.add(session, ada, owned, NOON) == "You own VAT already: find it under My learning."
    assert gift_lines.add(session, ada, owned, NOON) is None
    assert gifts_in_cart(session, ada) == [(owned, True)]
    assert cart_lines.add(session, ada, owned, NOON) is None
    assert gifts_in_cart(session, ada) == [(owned, True)]


def test_goods_are_no_gift(session, ada, owned):
    book = factories.item(session, factories.category(session, "books").id, "tables")
    assert gift_lines.add(session, ada, book.id, NOON) is None
    assert gifts_in_cart(session, ada) == [(book.id, False)]


@pytest.mark.parametrize("typed", [None, {"billing.name": "Ada"}], ids=["nothing typed", "a draft"])
def test_the_checkout_opens_with_the_gift_marked_and_buys_it(session, ada, owned, typed):
    if typed is not None:
        drafts.store(session, ada, typed, NOON)
    gift_lines.add(session, ada, owned, NOON)
    assert form_values(session, ada)[f"gift.{owned}.chosen"] == CHECKED
    form = checkout_form.read(session, ada, SHOP, OrderSettings(), NOON)
    assert line_refusals(session, ada, form.lines, NOON) == {}
    if typed is not None:
        assert drafts.read(session, ada, NOON).values["billing.name"] == "Ada"


def test_a_gift_that_is_no_longer_marked_is_refused_to_its_owner(session, ada, owned):
    gift_lines.add(session, ada, owned, NOON)
    drafts.store(session, ada, {"billing.name": "Ada"}, NOON)
    form = checkout_form.read(session, ada, SHOP, OrderSettings(), NOON)
    assert form.refusals[owned] == "You own VAT already: find it under My learning."


def unpaid(product_id, message=""):
    gift = {"recipient_email": "bob@example.test", "message": message}
    amounts = dict.fromkeys(("list_minor", "unit_minor", "net_minor", "tax_minor", "total_minor"), 0)
    return CheckoutLine("product", "VAT", 1, product_id=product_id, gift=gift, **amounts)


def test_a_gift_that_costs_nothing_has_no_message_and_one_that_is_paid_may(session, ada):
    assert gift_lines.refusals_of_unpaid(session, ada, [unpaid(7, "Buy my shoes")], NOON) == {7: gift_lines.NO_MESSAGE}
    assert gift_lines.refusals_of_unpaid(session, ada, [replace(unpaid(7, "Enjoy"), total_minor=1)], NOON) == {}


def test_more_than_three_gifts_a_day_that_cost_nothing_are_refused(session, ada):
    lines = [unpaid(number) for number in range(1, 6)]
    assert gift_lines.refusals_of_unpaid(session, ada, lines[:3], NOON) == {}
    assert gift_lines.refusals_of_unpaid(session, ada, lines, NOON) == dict.fromkeys((4, 5), gift_lines.TOO_MANY)


def test_gifts_that_cost_nothing_count_for_a_day(session):
    world = selling.fill(session)
    session.get_one(Product, world.course).list_price = Decimal(0)
    for number in range(3):
        gift = {"recipient_email": f"eve{number}@example.test", "message": ""}
        selling.buy(session, world.learner, RequestedItem(world.course, gift=gift), key=f"key {number}")
    at = session.scalar(select(func.max(Order.placed_at)))
    late, next_day = at + timedelta(hours=23), at + timedelta(hours=24)
    assert gift_lines.refusals_of_unpaid(session, world.learner, [unpaid(7)], late) == {7: gift_lines.TOO_MANY}
    assert gift_lines.refusals_of_unpaid(session, world.learner, [unpaid(7)], next_day) == {}

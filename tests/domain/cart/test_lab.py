"""The lab prices a cart as the cart itself does, and reserves nothing."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from domain.cart.codes import set_on_cart, set_on_line
from domain.cart.lab import LabCart, LabLine, price_lab_cart
from domain.cart.owners import Owner
from domain.cart.views import learner_cart
from domain.pricing.rules import RefusalReason
from domain.tables import Cart, CartLine, Reservation
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

CODES = ("", "ALL10", "ITEMS", "ONCE", "LAST", "MEMBERS", "LARGE", "PAUSED", "LATER", "UNKNOWN", "TAXONLY", "FIVE")


@pytest.fixture
def shop(session):
    """Products, an organisation with a contract, coupons of every kind, and two learners, one of them a member."""
    tax, data = (factories.category(session, slug, slug.title()).id for slug in ("tax", "data"))
    products = [
        *(factories.course(session, tax, f"tax-{n}", list_price=Decimal(f"{30 + 7 * n}.50")).id for n in range(3)),
        *(
            factories.course(session, data, f"data-{n}", list_price=Decimal(f"{45 + n}.99"), sale_price=None).id
            for n in range(2)
        ),
        *(
            factories.item(session, data, f"item-{n}", list_price=Decimal("12.30"), sale_price=None).id
            for n in range(2)
        ),
    ]
    organisation = factories.organisation(session).id
    factories.contract(session, organisation, products[0], products[3])
    factories.coupon(session, "ALL10", value=Decimal(10))
    factories.coupon(session, "ITEMS", kind="amount", value=Decimal("3.00"), applies_to="item", once_per_order=False)
    factories.coupon(session, "ONCE", value=Decimal(25), learner_limit=1)
    factories.coupon(session, "LAST", value=Decimal(30), total_limit=2)
    factories.coupon(session, "MEMBERS", value=Decimal(50), organisation_id=organisation)
    factories.coupon(session, "LARGE", kind="amount", value=Decimal("20.00"), minimum=Decimal("100.00"))
    factories.coupon(session, "FIVE", kind="amount", value=Decimal("5.00"))
    factories.coupon(session, "PAUSED", state="paused")
    factories.coupon(session, "LATER", starts_at=NOON + timedelta(days=1))
    factories.coupon(session, "TAXONLY", value=Decimal(15), applies_to="category", category_id=tax)
    ada, grace = factories.learner(session, name="Ada").id, factories.learner(session, name="Grace").id
    factories.member(session, grace, organisation)
    return products, (ada, grace), organisation


def real(session, cart, at):
    """The quote of the cart when its codes are really set, and the refusals as (code, product, reason)."""
    owner, refusals = Owner(cart.learner_id), []
    for place, line in enumerate(cart.lines):
        added = {"quantity": line.quantity, "added_at": at + timedelta(seconds=place)}
        factories.cart_line(session, cart.learner_id, line.product_id, **added)
    for line in cart.lines:
        result = set_on_line(session, cart.learner_id, line.product_id, line.code, at, SHOP)
        if isinstance(result, RefusalReason):
            refusals.append((line.code, line.product_id, result.code))
    if cart.code and (reason := set_on_cart(session, owner, cart.code, [], at, SHOP)) is not None:
        refusals.append((cart.code, None, reason.code))
    return learner_cart(session, cart.learner_id, at, SHOP).quote, refusals


def random_cart(choose, products, learners):
    lines = [
        LabLine(product_id, choose.randint(1, 3), choose.choice(CODES))
        for product_id in choose.sample(products, choose.randint(1, 5))
    ]
    return LabCart(lines, choose.choice(CODES), choose.choice(learners))


def count_rows(session):
    return [session.scalar(select(func.count()).select_from(table)) for table in (Reservation, CartLine, Cart)]


@pytest.mark.parametrize(
    ("seed", "carts"), [(53, 40), *(pytest.param(seed, 500, marks=pytest.mark.soak) for seed in range(4))]
)
def test_the_lab_is_the_cart_on_random_carts(session, shop, seed, carts):
    """2,000 carts of each database with `scripts/test --soak`."""
    products, learners, _ = shop
    choose = random.Random(seed)
    empty, refused = count_rows(session), 0
    for _ in range(carts):
        cart = random_cart(choose, products, learners)
        lab = price_lab_cart(session, cart, NOON, SHOP)
        assert count_rows(session) == empty
        with session.begin_nested() as savepoint:
            quote, refusals = real(session, cart, NOON)
            savepoint.rollback()
        session.expire_all()
        assert [(entry.name, entry.line_id, entry.reason) for entry in lab.quote.refusals] == refusals, cart
        assert (lab.quote.lines, lab.quote.total, lab.quote.discount) == (quote.lines, quote.total, quote.discount), (
            cart
        )
        refused += len(refusals)
    assert refused >= carts // 2


def test_a_member_of_an_organisation_gets_its_prices_and_codes_without_a_learner(session, shop):
    products, _, organisation = shop
    lines = [LabLine(products[3], 1, "MEMBERS")]
    outside, inside = (
        price_lab_cart(session, LabCart(lines, organisation_id=id_), NOON, SHOP) for id_ in (None, organisation)
    )
    assert ([entry.reason for entry in outside.quote.refusals], inside.quote.refusals) == (["unusable"], ())
    assert [step.step for step in inside.quote.lines[0].steps] == ["list", "code"]
    assert [offer.step for offer in inside.quote.lines[0].rejected_offers] == ["organisation"]


def test_another_day_has_other_codes_and_what_is_not_sold_is_named(session, shop):
    products, _, _ = shop
    cart = LabCart([LabLine(products[0], 1, "LATER"), LabLine(987654)])
    today, tomorrow = (price_lab_cart(session, cart, NOON + timedelta(days=day), SHOP) for day in (0, 1))
    assert ([entry.reason for entry in today.quote.refusals], tomorrow.quote.refusals) == (["unusable"], ())
    assert today.unavailable == (987654,)

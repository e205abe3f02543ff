"""Contract prices for members of organisations, and what restricted members may see."""

from datetime import timedelta
from decimal import Decimal

import pytest

from domain.cart import lines as cart_lines
from domain.cart import products as cart_products
from domain.cart import views as cart_views
from domain.cart.owners import Owner, RequestedLine
from domain.organisations import access as organisations_access
from domain.organisations.prices import ProductPrice, member_prices
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP


@pytest.fixture
def shop(session) -> tuple[int, int]:
    """Two courses of 100.00."""
    tax = factories.category(session)
    return factories.course(session, tax.id, "vat").id, factories.course(session, tax.id, "payroll").id


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


def join(session, learner_id: int, *product_ids: int, is_restricted: bool = False, **about) -> None:
    organisation = factories.organisation(session)
    factories.contract(session, organisation.id, *product_ids, **about)
    factories.member(session, learner_id, organisation.id, is_restricted=is_restricted)


def prices(session, learner_id: int, *product_ids: int, at=NOON) -> list[Decimal]:
    lines = [RequestedLine(product_id) for product_id in product_ids]
    return [line.priced.total for line in cart_views.guest_cart(session, Owner(learner_id), lines, at, SHOP).lines]


@pytest.mark.each_database
def test_a_member_pays_the_contracts_price(session, ada, shop):
    join(session, ada, shop[0])
    assert prices(session, ada, *shop) == [85, 100]


def test_a_products_own_price_overrides_the_contracts(session, ada, shop):
    join(session, ada, shop[1], prices={shop[0]: Decimal("42.00")})
    assert prices(session, ada, *shop) == [42, 85]


def test_a_contract_for_all_courses_covers_them_all(session, ada, shop):
    join(session, ada, has_all_courses=True)
    assert prices(session, ada, *shop) == [85, 85]


@pytest.mark.parametrize(
    "about",
    [{"starts_at": NOON + timedelta(seconds=1)}, {"ends_at": NOON}, {"value": Decimal(0)}],
    ids=["not yet begun", "over", "without a discount"],
)
def test_a_contract_that_gives_nothing_changes_no_price(session, ada, shop, about):
    join(session, ada, *shop, **about)
    assert prices(session, ada, *shop) == [100, 100]


def test_other_learners_pay_the_usual_price(session, ada, shop):
    join(session, ada, *shop)
    assert prices(session, factories.learner(session, "Grace Hopper").id, *shop) == [100, 100]


def test_of_two_organisations_the_lower_price_counts(session, ada, shop):
    join(session, ada, *shop)
    other = factories.organisation(session, "contoso", "Contoso")
    factories.contract(session, other.id, shop[0], value=Decimal(30))
    factories.member(session, ada, other.id)
    assert prices(session, ada, *shop) == [70, 85]


def test_the_other_contracts_are_kept_to_explain_the_price(session, ada, shop):
    """Without them nobody could see later that Northwind's price was compared."""
    join(session, ada, *shop)
    other = factories.organisation(session, "contoso", "Contoso")
    factories.contract(session, other.id, shop[0], value=Decimal(30))
    factories.member(session, ada, other.id)
    inputs = cart_views.guest_cart(session, Owner(ada), [RequestedLine(shop[0])], NOON, SHOP).inputs
    (line,) = inputs.lines
    assert (line.organisation.name, [offer.name for offer in line.other_contracts]) == ("Contoso", ["Northwind"])


def test_a_restricted_member_buys_only_products_of_the_contract(session, ada, shop):
    join(session, ada, shop[0], is_restricted=True)
    assert cart_lines.add(session, ada, shop[0], NOON) is None
    hidden, unknown = (cart_lines.add(session, ada, product_id, NOON) for product_id in (shop[1], 999_999))
    assert hidden == unknown == "This is not part of your organisation's contract. Ask its manager about it."


def test_a_restricted_member_without_a_running_contract_buys_nothing(session, ada, shop):
    join(session, ada, *shop, is_restricted=True, ends_at=NOON)
    assert cart_lines.add(session, ada, shop[0], NOON) is not None
    assert organisations_access.access_of(session, ada, NOON).scopes == ()


def test_a_guest_has_public_access(session):
    assert organisations_access.access_of(session, None, NOON) == organisations_access.PUBLIC_ACCESS


def test_an_organisation_that_was_not_approved_gives_nothing(session, ada, shop):
    organisation = factories.organisation(session, state="declined")
    factories.contract(session, organisation.id, *shop)
    factories.member(session, ada, organisation.id, is_restricted=True)
    assert organisations_access.access_of(session, ada, NOON) == organisations_access.PUBLIC_ACCESS


@pytest.mark.each_database
@pytest.mark.parametrize(("is_restricted", "sees"), [(True, [True, False]), (False, [True, True])])
def test_a_partner_link_restricts_if_the_contract_does(session, shop, is_restricted, sees):
    organisation = factories.organisation(session)
    factories.contract(session, organisation.id, shop[0], is_restricted=is_restricted)
    access = organisations_access.access_of_partner(session, "northwind", NOON)
    assert [access.allows(product) for product in cart_products.products(session, shop).values()] == sees
    assert organisations_access.access_of_partner(session, "nobody", NOON) == organisations_access.PUBLIC_ACCESS


def test_pages_show_the_price_that_the_cart_charges(session, ada, shop):
    join(session, ada, shop[0])
    products = [ProductPrice(product_id, "course", Decimal("100.00")) for product_id in shop]
    assert member_prices(session, ada, products, NOON, SHOP) == {shop[0]: prices(session, ada, shop[0])[0]}
    assert member_prices(session, factories.learner(session, "grace").id, products, NOON, SHOP) == {}


def test_a_sale_below_the_contracts_price_stays(session, ada, shop):
    join(session, ada, kind="price", value=Decimal("90.00"), has_all_courses=True)
    products = [ProductPrice(shop[0], "course", Decimal("89.99")), ProductPrice(shop[1], "item", Decimal("100.00"))]
    assert member_prices(session, ada, products, NOON, SHOP) == {}

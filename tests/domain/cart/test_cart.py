"""A learner's cart on both databases: lines, prices, codes on lines and carts, merging."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select, update

from domain import cart, wishlist
from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart import merge as cart_merge
from domain.cart import owners as cart_owners
from domain.cart import views as cart_views
from domain.cart.codes import LineCode
from domain.cart.lines import Change, add_all
from domain.cart.merge import Merged
from domain.cart.owners import Owner, RequestedLine
from domain.coupons.rules import UNUSABLE
from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.pricing import engine as pricing_engine
from domain.pricing.offers import OfferRef, Window
from domain.pricing.rules import RefusalReason
from domain.tables import Cart, CartLine, Product, Reservation, ShopItem
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

GUEST = Owner(guest_key="g" * 64)


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def shop(session) -> dict[str, int]:
    """Products by kind: a course of 100, one on sale for 80, a book with 3 left, one sold out, one retired."""
    tax, books = factories.category(session), factories.category(session, "books", "Books")
    sale = {"sale_price": Decimal("80.00"), "sale_until": NOON + timedelta(days=1)}
    products = {
        "course": factories.course(session, tax.id, "vat", name="VAT"),
        "sale": factories.course(session, tax.id, "payroll", name="Payroll", **sale),
        "book": factories.item(session, books.id, "tables", list_price=Decimal("20.00"), detail={"stock": 3}),
        "sold-out": factories.item(session, books.id, "cards", name="Cards", detail={"stock": 0}),
        "draft": factories.course(session, tax.id, "draft", status="draft"),
    }
    retired = {"status": "retired", "successor_id": products["course"].id}
    products["retired"] = factories.course(session, tax.id, "old", name="Old", **retired)
    return {name: product.id for name, product in products.items()}


def held(session) -> list[tuple]:
    return [tuple(row) for row in session.execute(select(Reservation.resource_id, Reservation.product_id))]


def in_cart(session, learner_id: int) -> list[tuple]:
    rows = select(CartLine.product_id, CartLine.quantity).where(CartLine.learner_id == learner_id)
    return sorted(tuple(row) for row in session.execute(rows))


@pytest.mark.each_database
def test_a_line_is_added_once_however_often_it_is_sent(session, ada, shop):
    assert [cart_lines.add(session, ada, shop["sale"], NOON) for _ in range(3)] == [None] * 3
    assert in_cart(session, ada) == [(shop["sale"], 1)]
    (line,) = cart_views.learner_cart(session, ada, NOON, SHOP).lines
    assert (line.seen_price, line.priced.unit_price, line.priced.total) == (80, 80, 80)


REFUSALS = {
    "retired": "Old is no longer sold. VAT has taken its place.",
    "draft": "This is not in the shop. It may have been withdrawn.",
    "sold-out": "Cards is sold out.",
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_product_that_cannot_be_bought_is_refused_with_the_reason(session, ada, shop, what):
    assert cart_lines.add(session, ada, shop[what], NOON) == REFUSALS[what]
    assert in_cart(session, ada) == []


def test_an_unknown_product_is_refused(session, ada):
    assert cart_lines.add(session, ada, 999_999, NOON) == REFUSALS["draft"]


def test_adding_an_owned_course_removes_its_line_and_code(session, ada, shop):
    factories.coupon(session)
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "SPRING", NOON, SHOP)
    grants.grant(session, ada, [shop["course"]], GrantSource("order", 1), NOON)
    assert cart_views.learner_cart(session, ada, NOON, SHOP).unavailable == (shop["course"],)
    assert cart_lines.add(session, ada, shop["course"], NOON) == "You own VAT already: find it under My learning."
    assert (in_cart(session, ada), held(session)) == ([], [])


def test_a_course_whose_access_has_ended_can_be_bought_again(session, ada, shop):
    for course in ("course", "sale"):
        grants.grant(session, ada, [shop[course]], GrantSource("order", shop[course]), NOON)
    grants.end(session, GrantSource("order", shop["course"]), NOON, "refund")
    assert cart_lines.add(session, ada, shop["course"], NOON) is None
    assert cart_views.learner_cart(session, ada, NOON, SHOP).unavailable == ()
    items = wishlist.preview(session, ada, {shop["course"]: None, shop["sale"]: None}, NOON)
    assert [item.is_owned for item in items] == [False, True]


def test_a_full_cart_refuses_more_and_keeps_its_lines(session, ada, shop, monkeypatch):
    monkeypatch.setattr(cart.lines, "MAX_LINES", 1)
    cart_lines.add(session, ada, shop["course"], NOON)
    assert cart_lines.add(session, ada, shop["sale"], NOON).startswith("Your cart is full.")
    assert cart_lines.add(session, ada, shop["course"], NOON) is None


@pytest.mark.each_database
def test_quantities_stay_within_the_stock(session, ada, shop):
    cart_lines.add(session, ada, shop["book"], NOON)
    assert cart_lines.change(session, ada, shop["book"], Change(quantity=3), NOON) is None
    assert cart_lines.change(session, ada, shop["book"], Change(quantity=4), NOON) == "Only 3 of Tables are left."
    assert in_cart(session, ada) == [(shop["book"], 3)]


def test_a_lower_stock_limits_the_quantity(session, ada, shop):
    cart_lines.add(session, ada, shop["book"], NOON)
    cart_lines.change(session, ada, shop["book"], Change(quantity=3), NOON)
    session.get_one(ShopItem, shop["book"]).stock = 2
    session.flush()
    assert cart_lines.add(session, ada, shop["book"], NOON) is None
    assert in_cart(session, ada) == [(shop["book"], 2)]


@pytest.fixture(params=["course", "bundle"])
def bought_once(request, session, shop) -> int:
    if request.param == "course":
        return shop["course"]
    detail = {"fulfilment": "courses", "tax_class": "service"}
    category = session.get_one(Product, shop["book"]).category_id
    return factories.item(session, category, "starter", name="VAT", item_kind="bundle", detail=detail).id


def test_a_course_and_a_bundle_are_bought_once(session, ada, bought_once):
    [result] = add_all(session, ada, [RequestedLine(bought_once, 3)], NOON)
    assert (result.refusal, result.quantity, result.is_short) == (None, 1, False)
    refusal = cart_lines.change(session, ada, bought_once, Change(quantity=2), NOON)
    assert refusal == "VAT is bought once: its quantity is 1."
    assert cart_lines.change(session, ada, bought_once, Change(quantity=1), NOON) is None
    assert in_cart(session, ada) == [(bought_once, 1)]
    assert cart_merge.merge(session, ada, [RequestedLine(bought_once, 2)], None, NOON) == [Merged(bought_once, "kept")]


def test_several_of_what_is_bought_once_cost_as_one(session, ada, bought_once):
    """An older build stored such a line, or a browser sends one."""
    cart_lines.add(session, ada, bought_once, NOON)
    session.execute(update(CartLine).values(quantity=3))
    guest = cart_views.guest_cart(session, GUEST, [RequestedLine(bought_once, 3)], NOON, SHOP)
    for priced in (cart_views.learner_cart(session, ada, NOON, SHOP), guest):
        assert [(item.priced.quantity, item.priced.total) for item in priced.lines] == [(1, 100)]


def test_a_quote_names_the_coupon_and_the_contract_of_its_offers(session, ada, shop):
    coupon = factories.coupon(session, value=Decimal(30))
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    priced = cart_views.learner_cart(session, ada, NOON, SHOP)
    [line] = priced.quote.lines
    assert [(step.step, step.ref) for step in line.steps] == [("list", None), ("code", OfferRef("coupon", coupon.id))]
    assert pricing_engine.price(priced.inputs) == priced.quote
    coupon.state = "paused"
    session.flush()
    [refusal] = cart_views.learner_cart(session, ada, NOON, SHOP).quote.refusals
    assert refusal.ref == OfferRef("coupon", coupon.id)


def test_a_line_has_the_tax_class_and_the_sale_of_its_product(session, ada, shop):
    session.get_one(ShopItem, shop["book"]).tax_class = "book"
    session.flush()
    add_all(session, ada, [RequestedLine(shop["sale"]), RequestedLine(shop["book"])], NOON)
    lines = {line.id: line for line in cart_views.learner_cart(session, ada, NOON, SHOP).inputs.lines}
    assert [lines[shop[name]].tax_class for name in ("sale", "book")] == ["service", "book"]
    assert lines[shop["sale"]].sale_window == Window(None, NOON + timedelta(days=1))


def test_a_line_saved_for_later_counts_in_no_total_and_releases_its_code(session, ada, shop):
    factories.coupon(session)
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    assert cart_lines.change(session, ada, shop["course"], Change(is_saved=True), NOON) is None
    view = cart_views.learner_cart(session, ada, NOON, SHOP)
    assert ([line.code for line in view.saved], view.lines, view.quote.total, held(session)) == ([None], (), 0, [])
    assert cart_lines.add(session, ada, shop["course"], NOON) is None
    assert cart_views.learner_cart(session, ada, NOON, SHOP).quote.total == 100


def test_removing_a_line_twice_is_harmless(session, ada, shop):
    factories.coupon(session)
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    for _ in range(2):
        cart_lines.remove(session, ada, shop["course"])
    assert (in_cart(session, ada), held(session)) == ([], [])


@pytest.mark.each_database
def test_a_code_on_a_line_is_reserved_and_priced(session, ada, shop):
    coupon = factories.coupon(session)
    cart_lines.add(session, ada, shop["sale"], NOON)
    result = cart_codes.set_on_line(session, ada, shop["sale"], " spring", NOON, SHOP)
    assert result == LineCode(Decimal("72.00"), Decimal("8.00"), "SPRING")
    assert held(session) == [(coupon.id, shop["sale"])]


def test_another_code_replaces_the_first_and_an_empty_one_removes_it(session, ada, shop):
    factories.coupon(session)
    other = factories.coupon(session, "HALF", value=Decimal(50))
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    assert cart_codes.set_on_line(session, ada, shop["course"], "half", NOON, SHOP).price == 50
    assert held(session) == [(other.id, shop["course"])]
    assert cart_codes.set_on_line(session, ada, shop["course"], "", NOON, SHOP) == LineCode(None, None, "")
    assert held(session) == []


def test_a_refused_code_changes_nothing(session, ada, shop):
    coupon = factories.coupon(session)
    factories.coupon(session, "BIG", minimum=Decimal(500))
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    refused = cart_codes.set_on_line(session, ada, shop["course"], "BIG", NOON, SHOP)
    assert refused == RefusalReason("minimum", "Spend 500.00 or more to use BIG: 400.00 to go.")
    assert cart_codes.set_on_line(session, ada, shop["course"], "NOBODY", NOON, SHOP) == UNUSABLE
    assert held(session) == [(coupon.id, shop["course"])]
    assert cart_views.learner_cart(session, ada, NOON, SHOP).lines[0].code == "SPRING"


def test_a_code_needs_its_line(session, ada, shop):
    factories.coupon(session)
    refused = cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    assert refused.message == "This is not in your cart. Add it first, then use the code."


def test_an_expired_code_is_refused_by_name_and_not_counted(session, ada, shop):
    coupon = factories.coupon(session)
    cart_lines.add(session, ada, shop["course"], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    coupon.ends_at = NOON
    session.flush()
    view = cart_views.learner_cart(session, ada, NOON, SHOP)
    assert view.quote.total == 100
    (refusal,) = view.quote.refusals
    assert (refusal.step, refusal.line_id, refusal.reason) == ("code", shop["course"], "unusable")
    assert refusal.message == "The code SPRING can no longer be used. Remove it, or use another one."


def test_a_coupon_of_the_cart_and_a_code_of_a_line_are_not_combined(session, ada, shop):
    factories.coupon(session)
    factories.coupon(session, "SUMMER", value=Decimal(20))
    for what in ("course", "sale"):
        cart_lines.add(session, ada, shop[what], NOON)
    cart_codes.set_on_line(session, ada, shop["course"], "spring", NOON, SHOP)
    assert cart_codes.set_on_cart(session, Owner(ada), "summer", [], NOON, SHOP) is None
    view = cart_views.learner_cart(session, ada, NOON, SHOP)
    assert [line.priced.total for line in view.lines] == [80, 64]
    assert [offer.name for offer in view.lines[0].priced.rejected_offers] == ["SPRING"]
    assert (view.coupon.name, view.quote.subtotal, view.quote.discount, view.quote.total) == ("SUMMER", 180, 36, 144)


def test_a_guests_coupon_is_stored_for_three_hours(session, shop):
    factories.coupon(session, minimum=Decimal(100))
    lines = [RequestedLine(shop["course"]), RequestedLine(shop["book"], 2)]
    assert cart_codes.set_on_cart(session, GUEST, "spring", lines[1:], NOON, SHOP).code == "minimum"
    assert cart_codes.set_on_cart(session, GUEST, "spring", lines, NOON, SHOP) is None
    assert cart_views.guest_cart(session, GUEST, lines, NOON, SHOP).quote.total == 126
    assert cart_views.guest_cart(session, Owner(guest_key="h" * 64), lines, NOON, SHOP).quote.total == 140
    assert cart_views.guest_cart(session, GUEST, lines, NOON + timedelta(minutes=180), SHOP).quote.total == 140
    small = cart_views.guest_cart(session, GUEST, lines[1:], NOON, SHOP)
    assert (small.coupon.name, small.quote.total, small.quote.refusals[0].reason) == ("SPRING", 40, "minimum")


def test_an_empty_code_removes_the_coupon_of_the_cart(session, shop):
    factories.coupon(session)
    lines = [RequestedLine(shop["course"])]
    cart_codes.set_on_cart(session, GUEST, "spring", lines, NOON, SHOP)
    assert cart_codes.set_on_cart(session, GUEST, " ", lines, NOON, SHOP) is None
    assert cart_views.guest_cart(session, GUEST, lines, NOON, SHOP).coupon is None


def test_a_product_that_is_not_sold_any_more_is_unavailable_in_a_guests_cart(session, shop):
    lines = [RequestedLine(shop[what]) for what in ("course", "retired", "draft")]
    view = cart_views.guest_cart(session, GUEST, lines, NOON, SHOP)
    assert ([line.product.id for line in view.lines], view.unavailable) == (
        [shop["course"]],
        tuple(w.id for w in lines[1:]),
    )


@pytest.mark.each_database
def test_a_merge_has_a_result_per_line_and_repeating_it_changes_nothing(session, ada, shop):
    cart_lines.add(session, ada, shop["course"], NOON)
    lines = [
        RequestedLine(shop["course"], 2),
        RequestedLine(shop["book"], 9),
        RequestedLine(shop["retired"]),
        RequestedLine(999_999),
    ]
    first = cart_merge.merge(session, ada, lines, None, NOON)
    assert first == [
        Merged(shop["course"], "kept"),
        Merged(shop["book"], "added", "Only 3 of Tables are left."),
        Merged(shop["retired"], "refused", REFUSALS["retired"]),
        Merged(999_999, "refused", REFUSALS["draft"]),
    ]
    once = in_cart(session, ada)
    assert once == sorted([(shop["course"], 1), (shop["book"], 3)])
    cart_merge.merge(session, ada, lines, None, NOON)
    assert in_cart(session, ada) == once


def test_a_guests_coupon_is_merged_unless_the_learner_has_one(session, ada, shop):
    factories.coupon(session)
    factories.coupon(session, "SUMMER")
    cart_codes.set_on_cart(session, GUEST, "spring", [RequestedLine(shop["course"])], NOON, SHOP)
    cart_merge.merge(session, ada, [RequestedLine(shop["course"])], GUEST.guest_key, NOON)
    assert cart_views.learner_cart(session, ada, NOON, SHOP).coupon.name == "SPRING"
    cart_codes.set_on_cart(session, GUEST, "summer", [RequestedLine(shop["course"])], NOON, SHOP)
    cart_merge.merge(session, ada, [], GUEST.guest_key, NOON)
    assert cart_views.learner_cart(session, ada, NOON, SHOP).coupon.name == "SPRING"
    assert session.scalars(select(Cart.guest_key).where(Cart.guest_key.is_not(None))).all() == []


def test_a_price_change_is_shown_until_it_was_seen(session, ada, shop):
    cart_lines.add(session, ada, shop["sale"], NOON)
    after = NOON + timedelta(days=2)
    assert cart_views.learner_cart(session, ada, after, SHOP).lines[0].seen_price == 80
    cart_lines.mark_prices_seen(session, ada, {shop["sale"]: Decimal("99.00")}, after)
    assert cart_views.learner_cart(session, ada, after, SHOP).lines[0].seen_price == 80
    cart_lines.mark_prices_seen(session, ada, {shop["sale"]: Decimal("100.00")}, after)
    assert cart_views.learner_cart(session, ada, after, SHOP).lines[0].seen_price == 100


def test_of_two_lines_with_one_product_the_larger_quantity_counts():
    assert cart_owners.requested_lines([(1, 2), (2, 1), (1, 5)]) == [RequestedLine(1, 5), RequestedLine(2, 1)]

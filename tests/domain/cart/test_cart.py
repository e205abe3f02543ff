"""A learner's cart on both databases: what may stand in it, what it costs, codes on lines and carts, merging."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain import cart
from domain.cart import Change, Merged, Owner, Wanted
from domain.coupons import UNUSABLE
from domain.pricing.rules import Reason
from domain.tables import Cart, CartLine, CouponUse, Enrolment, ShopItem
from tests import factories
from tests.factories import NOON

GUEST = Owner(guest="g" * 64)


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def shop(session) -> dict[str, int]:
    """Products by what they are: a course of 100, one on sale for 80, a book with 3 left, one sold out, one retired."""
    tax, books = factories.category(session), factories.category(session, "books", "Books")
    sale = {"sale_price": Decimal("80.00"), "sale_until": NOON + timedelta(days=1)}
    made = {
        "course": factories.course(session, tax.id, "vat", name="VAT"),
        "sale": factories.course(session, tax.id, "payroll", name="Payroll", **sale),
        "book": factories.item(session, books.id, "tables", list_price=Decimal("20.00"), detail={"stock": 3}),
        "sold-out": factories.item(session, books.id, "cards", name="Cards", detail={"stock": 0}),
        "draft": factories.course(session, tax.id, "draft", status="draft"),
    }
    following = {"status": "retired", "successor_id": made["course"].id}
    made["retired"] = factories.course(session, tax.id, "old", name="Old", **following)
    return {name: product.id for name, product in made.items()}


def held(session) -> list[tuple]:
    return [tuple(row) for row in session.execute(select(CouponUse.coupon_id, CouponUse.product_id))]


def in_cart(session, learner_id: int) -> list[tuple]:
    rows = select(CartLine.product_id, CartLine.quantity).where(CartLine.learner_id == learner_id)
    return sorted(tuple(row) for row in session.execute(rows))


def test_a_line_is_put_once_however_often_it_is_sent(session, ada, shop):
    assert [cart.put(session, ada, shop["sale"], NOON) for _ in range(3)] == [None] * 3
    assert in_cart(session, ada) == [(shop["sale"], 1)]
    (line,) = cart.of_learner(session, ada, NOON).lines
    assert (line.seen_price, line.priced.unit_price, line.priced.total) == (80, 80, 80)


REFUSALS = {
    "retired": "Old is no longer sold. VAT has taken its place.",
    "draft": "This is not in the shop. It may have been withdrawn.",
    "sold-out": "Cards is sold out.",
}


@pytest.mark.parametrize("what", REFUSALS)
def test_what_cannot_be_bought_is_refused_with_what_helps(session, ada, shop, what):
    assert cart.put(session, ada, shop[what], NOON) == REFUSALS[what]
    assert in_cart(session, ada) == []


def test_what_does_not_exist_is_not_in_the_shop(session, ada):
    assert cart.put(session, ada, 999_999, NOON) == REFUSALS["draft"]


def test_a_course_that_became_owned_leaves_the_cart_with_its_code(session, ada, shop):
    factories.coupon(session)
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "SPRING", NOON)
    session.add(Enrolment(learner_id=ada, product_id=shop["course"], source="order", enrolled_at=NOON))
    session.flush()
    assert cart.of_learner(session, ada, NOON).missing == (shop["course"],)
    assert cart.put(session, ada, shop["course"], NOON) == "You own VAT already: find it under My learning."
    assert (in_cart(session, ada), held(session)) == ([], [])


def test_a_full_cart_takes_no_more_but_keeps_what_it_has(session, ada, shop, monkeypatch):
    monkeypatch.setattr(cart.lines, "MOST_LINES", 1)
    cart.put(session, ada, shop["course"], NOON)
    assert cart.put(session, ada, shop["sale"], NOON).startswith("Your cart is full.")
    assert cart.put(session, ada, shop["course"], NOON) is None


def test_quantities_stay_within_what_is_left(session, ada, shop):
    cart.put(session, ada, shop["book"], NOON)
    assert cart.change(session, ada, shop["book"], Change(quantity=3), NOON) is None
    assert cart.change(session, ada, shop["book"], Change(quantity=4), NOON) == "Only 3 of Tables are left."
    assert in_cart(session, ada) == [(shop["book"], 3)]


def test_a_stock_that_fell_leaves_what_can_be_had(session, ada, shop):
    cart.put(session, ada, shop["book"], NOON)
    cart.change(session, ada, shop["book"], Change(quantity=3), NOON)
    session.get_one(ShopItem, shop["book"]).stock = 2
    session.flush()
    assert cart.put(session, ada, shop["book"], NOON) is None
    assert in_cart(session, ada) == [(shop["book"], 2)]


def test_a_line_saved_for_later_counts_in_no_total_and_gives_its_code_back(session, ada, shop):
    factories.coupon(session)
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    assert cart.change(session, ada, shop["course"], Change(is_saved=True), NOON) is None
    view = cart.of_learner(session, ada, NOON)
    assert ([line.code for line in view.saved], view.lines, view.quote.total, held(session)) == ([None], (), 0, [])
    assert cart.put(session, ada, shop["course"], NOON) is None
    assert cart.of_learner(session, ada, NOON).quote.total == 100


def test_taking_out_is_harmless_twice(session, ada, shop):
    factories.coupon(session)
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    for _ in range(2):
        cart.take_out(session, ada, shop["course"])
    assert (in_cart(session, ada), held(session)) == ([], [])


def test_a_code_on_a_line_is_held_and_priced(session, ada, shop):
    coupon = factories.coupon(session)
    cart.put(session, ada, shop["sale"], NOON)
    found = cart.set_on_line(session, ada, shop["sale"], " spring", NOON)
    assert found == cart.LineCode(Decimal("72.00"), Decimal("8.00"), "SPRING")
    assert held(session) == [(coupon.id, shop["sale"])]


def test_another_code_takes_the_place_of_the_first_and_an_empty_one_takes_it_off(session, ada, shop):
    factories.coupon(session)
    other = factories.coupon(session, "HALF", value=Decimal(50))
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    assert cart.set_on_line(session, ada, shop["course"], "half", NOON).price == 50
    assert held(session) == [(other.id, shop["course"])]
    assert cart.set_on_line(session, ada, shop["course"], "", NOON) == cart.LineCode(Decimal("100.00"), None, "")
    assert held(session) == []


def test_a_refused_code_changes_nothing(session, ada, shop):
    coupon = factories.coupon(session)
    factories.coupon(session, "BIG", minimum=Decimal(500))
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    refused = cart.set_on_line(session, ada, shop["course"], "BIG", NOON)
    assert refused == Reason("minimum", "Spend 500.00 or more to use BIG: 400.00 to go.")
    assert cart.set_on_line(session, ada, shop["course"], "NOBODY", NOON) == UNUSABLE
    assert held(session) == [(coupon.id, shop["course"])]
    assert cart.of_learner(session, ada, NOON).lines[0].code == "SPRING"


def test_a_code_needs_its_line(session, ada, shop):
    factories.coupon(session)
    refused = cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    assert refused.message == "This is not in your cart. Add it first, then use the code."


def test_a_code_that_is_over_by_now_is_named_and_not_counted(session, ada, shop):
    coupon = factories.coupon(session)
    cart.put(session, ada, shop["course"], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    coupon.ends_at = NOON
    session.flush()
    view = cart.of_learner(session, ada, NOON)
    assert view.quote.total == 100
    assert [(one.step, one.name, one.line_id, one.reason) for one in view.quote.refusals] == [
        ("code", "SPRING", shop["course"], "unusable")
    ]


def test_a_coupon_of_the_cart_and_a_code_of_a_line_do_not_add_up(session, ada, shop):
    factories.coupon(session)
    factories.coupon(session, "SUMMER", value=Decimal(20))
    for what in ("course", "sale"):
        cart.put(session, ada, shop[what], NOON)
    cart.set_on_line(session, ada, shop["course"], "spring", NOON)
    assert cart.set_on_cart(session, Owner(ada), "summer", [], NOON) is None
    view = cart.of_learner(session, ada, NOON)
    assert [line.priced.total for line in view.lines] == [80, 64]
    assert [loser.name for loser in view.lines[0].priced.losers] == ["SPRING"]
    assert (view.coupon.name, view.quote.subtotal, view.quote.discount, view.quote.total) == ("SUMMER", 180, 36, 144)


def test_a_guests_coupon_lives_with_the_guest_for_three_hours(session, shop):
    factories.coupon(session, minimum=Decimal(100))
    lines = [Wanted(shop["course"]), Wanted(shop["book"], 2)]
    assert cart.set_on_cart(session, GUEST, "spring", lines[1:], NOON).code == "minimum"
    assert cart.set_on_cart(session, GUEST, "spring", lines, NOON) is None
    assert cart.of_guest(session, GUEST, lines, NOON).quote.total == 126
    assert cart.of_guest(session, Owner(guest="h" * 64), lines, NOON).quote.total == 140
    assert cart.of_guest(session, GUEST, lines, NOON + timedelta(minutes=180)).quote.total == 140
    small = cart.of_guest(session, GUEST, lines[1:], NOON)
    assert (small.coupon.name, small.quote.total, small.quote.refusals[0].reason) == ("SPRING", 40, "minimum")


def test_an_empty_code_takes_the_coupon_off_the_cart(session, shop):
    factories.coupon(session)
    lines = [Wanted(shop["course"])]
    cart.set_on_cart(session, GUEST, "spring", lines, NOON)
    assert cart.set_on_cart(session, GUEST, " ", lines, NOON) is None
    assert cart.of_guest(session, GUEST, lines, NOON).coupon is None


def test_what_is_sold_no_more_is_missing_from_a_guests_cart(session, shop):
    lines = [Wanted(shop[what]) for what in ("course", "retired", "draft")]
    view = cart.of_guest(session, GUEST, lines, NOON)
    assert ([line.product.id for line in view.lines], view.missing) == (
        [shop["course"]],
        tuple(w.id for w in lines[1:]),
    )


def test_a_merge_answers_every_line_and_repeating_it_changes_nothing(session, ada, shop):
    cart.put(session, ada, shop["course"], NOON)
    lines = [Wanted(shop["course"], 2), Wanted(shop["book"], 9), Wanted(shop["retired"]), Wanted(999_999)]
    first = cart.merge(session, ada, lines, None, NOON)
    assert first == [
        Merged(shop["course"], "kept"),
        Merged(shop["book"], "added", "Only 3 of Tables are left."),
        Merged(shop["retired"], "refused", REFUSALS["retired"]),
        Merged(999_999, "refused", REFUSALS["draft"]),
    ]
    once = in_cart(session, ada)
    assert once == sorted([(shop["course"], 2), (shop["book"], 3)])
    cart.merge(session, ada, lines, None, NOON)
    assert in_cart(session, ada) == once


def test_a_guests_coupon_comes_along_unless_the_learner_has_one(session, ada, shop):
    factories.coupon(session)
    factories.coupon(session, "SUMMER")
    cart.set_on_cart(session, GUEST, "spring", [Wanted(shop["course"])], NOON)
    cart.merge(session, ada, [Wanted(shop["course"])], GUEST.guest, NOON)
    assert cart.of_learner(session, ada, NOON).coupon.name == "SPRING"
    cart.set_on_cart(session, GUEST, "summer", [Wanted(shop["course"])], NOON)
    cart.merge(session, ada, [], GUEST.guest, NOON)
    assert cart.of_learner(session, ada, NOON).coupon.name == "SPRING"
    assert session.scalars(select(Cart.guest).where(Cart.guest.is_not(None))).all() == []


def test_a_price_change_is_told_until_it_was_seen(session, ada, shop):
    cart.put(session, ada, shop["sale"], NOON)
    after = NOON + timedelta(days=2)
    assert cart.of_learner(session, ada, after).lines[0].seen_price == 80
    cart.seen(session, ada, {shop["sale"]: Decimal("99.00")}, after)
    assert cart.of_learner(session, ada, after).lines[0].seen_price == 80
    cart.seen(session, ada, {shop["sale"]: Decimal("100.00")}, after)
    assert cart.of_learner(session, ada, after).lines[0].seen_price == 100


def test_of_two_lines_with_one_product_the_larger_quantity_counts():
    assert cart.wanted([(1, 2), (2, 1), (1, 5)]) == [Wanted(1, 5), Wanted(2, 1)]

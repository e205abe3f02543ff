"""A coupon of an amount that counts at most once per order: on one line or the whole cart, in the order, in refunds."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.cart import views as cart_views
from domain.cart.codes import set_on_cart, set_on_line
from domain.cart.coupon_cost import CouponTerms, cost_texts
from domain.cart.owners import Owner
from domain.checkout.priced import RequestedItem
from domain.orders.explanation.explain import explain
from domain.orders.lines import lines_of
from domain.tables import CartLine, Reservation
from tests.domain.orders import selling, taxed
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP


@pytest.fixture
def world(session):
    return taxed.fill(session)


@pytest.fixture
def five(session) -> int:
    return factories.coupon(session, "FIVE", kind="amount", value=Decimal("5.00")).id


def codes(session, learner_id: int) -> list[int | None]:
    query = select(CartLine.coupon_id).where(CartLine.learner_id == learner_id).order_by(CartLine.product_id)
    return list(session.scalars(query))


@pytest.mark.each_database
def test_one_line_or_the_whole_cart_has_the_code(session, world, five):
    ada = world.learner
    for product, quantity in ((world.course, 1), (world.book, 3)):
        factories.cart_line(session, ada, product, quantity=quantity)
    line = set_on_line(session, ada, world.book, "five", NOON, SHOP)
    assert (line.price, line.unit_discount, line.code) == (Decimal("15.00"), None, "FIVE")
    text = "FIVE counts once per order, and your cart has it already. Remove it there to use it here."
    assert set_on_line(session, ada, world.course, "FIVE", NOON, SHOP).message == text
    assert set_on_cart(session, Owner(ada), "FIVE", [], NOON, SHOP).message == text
    assert (codes(session, ada), len(list(session.scalars(select(Reservation))))) == ([None, five], 1)
    quote = cart_views.learner_cart(session, ada, NOON, SHOP).quote
    assert (quote.subtotal, quote.discount, quote.total) == (Decimal("85.00"), Decimal("5.00"), Decimal("80.00"))
    set_on_line(session, ada, world.book, "", NOON, SHOP)
    assert set_on_cart(session, Owner(ada), "FIVE", [], NOON, SHOP) is None
    assert set_on_line(session, ada, world.course, "FIVE", NOON, SHOP).message == text
    assert codes(session, ada) == [None, None]


def test_a_coupon_of_before_counts_for_each_piece_of_each_line(session, world):
    factories.coupon(session, "OLD", kind="amount", value=Decimal("5.00"), once_per_order=False)
    for product, quantity in ((world.course, 1), (world.book, 3)):
        factories.cart_line(session, world.learner, product, quantity=quantity)
        set_on_line(session, world.learner, product, "OLD", NOON, SHOP)
    quote = cart_views.learner_cart(session, world.learner, NOON, SHOP).quote
    assert (quote.subtotal, quote.discount, quote.total) == (Decimal("65.00"), Decimal("0.00"), Decimal("65.00"))


@pytest.mark.each_database
def test_three_books_with_it_come_back_one_by_one_to_the_last_cent(session, world, five):
    """45.00 less 5.00, and 7 % tax of 40.00; each book takes a third of the reduction back."""
    order = taxed.buy(session, world.learner, RequestedItem(world.book, 3, five))
    book = lines_of(session, order.id)[0]
    assert (book.unit_minor, book.net_minor, book.tax_minor, book.total_minor) == (1500, 4000, 280, 4280)
    assert (order.subtotal_minor, order.discount_minor) == (4500, 500)
    assert (book.line_code, selling.uses_of(session, five)) == ("FIVE", 1)
    refunds = [taxed.give_back(session, order, {1: 1}) for _ in range(3)]
    assert [(refund.amount_minor, refund.tax_minor) for refund in refunds] == [(1427, 93), (1426, 94), (1427, 93)]
    assert selling.uses_of(session, five) == 0
    session.expire_all()
    assert explain(session, order.code).differences == ()


PER_PIECE = CouponTerms("amount", Decimal("5.00"), once_per_order=False)
ONCE = CouponTerms("amount", Decimal("5.00"), once_per_order=True)
PERCENT = "No upper limit (a percentage grows with the prices of what is bought)"
ANY = "No upper limit (it may be used any number of times)"
COSTS = {
    "a percentage": (CouponTerms("percent", Decimal(10), once_per_order=True, total_limit=9), 1, PERCENT, PERCENT),
    "once per order": (ONCE, 1, "5.00 (once per order)", ANY),
    "once per order, 100 uses": (replace(ONCE, total_limit=100), 1, "5.00 (once per order)", "500.00 (100 uses)"),
    "20 codes of one use": (replace(ONCE, total_limit=1), 20, "5.00 (once per order)", "100.00 (20 uses)"),
    "each piece": (PER_PIECE, 1, "49500.00 (99 pieces of a line, on 100 lines)", ANY),
    "each piece, twice for a learner": (
        replace(PER_PIECE, learner_limit=2, total_limit=10),
        *(1, "990.00 (99 pieces of a line, on 2 lines)", "4950.00 (10 uses)"),
    ),
    "each piece of courses": (
        replace(PER_PIECE, applies_to="course", products=1),
        *(1, "5.00 (1 piece of a line, on 1 line)", ANY),
    ),
}


@pytest.mark.parametrize(("terms", "number", "in_order", "in_total"), COSTS.values(), ids=COSTS)
def test_what_a_coupon_costs_at_most(terms, number, in_order, in_total):
    assert cost_texts(terms, SHOP, number) == {"In one order": in_order, "Over all uses": in_total}

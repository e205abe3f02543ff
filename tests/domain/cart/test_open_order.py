"""A cart counts what its learner's open order has reserved as its own, because placing the cart releases it first."""

import pytest
from sqlalchemy import select

from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart import views as cart_views
from domain.cart.codes import LineCode
from domain.cart.lines import Change
from domain.coupons.rules import UNUSABLE
from domain.reservations import orders as reservation_orders
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner, OrderOwner
from domain.tables import Coupon, Reservation
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.shops import SHOP


class Shopper:
    """A learner with the courses VAT and Payroll, and a book of which 3 are left, in the cart; and an open order."""

    def __init__(self, session, name: str = "Ada Lovelace", products: dict[str, int] | None = None):
        self.session, self.id = session, factories.learner(session, name).id
        self.products = products or new_products(session)
        for product_id in self.products.values():
            assert cart_lines.add(session, self.id, product_id, NOON) is None
        self.order = order_rows.open_order(session, self.id, code=f"{self.id:020}")

    def set_code(self, what: str, code: str = "spring"):
        found = cart_codes.set_on_line(self.session, self.id, self.products[what], code, NOON, SHOP)
        return found.code if isinstance(found, LineCode) else found

    def claim(self, what: str, quantity: int = 1) -> None:
        """The open order gets what the cart's line has."""
        product_id = self.products[what]
        line = order_rows.order_line(self.session, self.order.id, product_id=product_id, quantity=quantity)
        owner = OrderOwner(self.id, self.order.id, line.id, CartOwner(self.id, product_id).key)
        assert reservation_orders.claim(self.session, resource(self, what), owner, quantity, NOON) is None


def resource(shopper: Shopper, what: str) -> Resource:
    if what == "book":
        return Resource("stock", shopper.products["book"])
    return Resource("coupon", shopper.session.scalars(select(Coupon.id)).one())


def new_products(session) -> dict[str, int]:
    category_id = factories.category(session).id
    book = factories.item(session, category_id, "tables", name="Tables", detail={"stock": 3})
    courses = {name: factories.course(session, category_id, name).id for name in ("vat", "payroll")}
    return {**courses, "book": book.id}


@pytest.fixture
def ada(session) -> Shopper:
    return Shopper(session)


@pytest.fixture
def once(session) -> Coupon:
    """A code that one person can use once."""
    return factories.coupon(session, total_limit=1, learner_limit=1)


def uses(session) -> list[tuple]:
    columns = select(Reservation.product_id, Reservation.order_id).order_by(Reservation.id)
    return [tuple(row) for row in session.execute(columns)]


@pytest.mark.each_database
def test_a_code_whose_use_went_to_the_open_order_still_lowers_its_line(session, ada, once):
    ada.set_code("vat")
    ada.claim("vat")
    priced = cart_views.learner_cart(session, ada.id, NOON, SHOP)
    assert ([item.priced.unit_price for item in priced.lines[:2]], priced.quote.refusals) == ([90, 100], ())


def test_it_can_be_set_again_and_moved_without_a_second_use(session, ada, once):
    ada.set_code("vat")
    ada.claim("vat")
    assert (ada.set_code("vat"), ada.set_code("vat", "")) == ("SPRING", "")
    assert ada.set_code("payroll") == "SPRING"
    session.refresh(once)
    assert (uses(session), once.uses) == ([(ada.products["vat"], ada.order.id)], 1)


def test_it_counts_for_one_line_only(session, ada, once):
    ada.set_code("vat")
    ada.claim("vat")
    refusal = ada.set_code("payroll")
    assert (refusal, uses(session)) == (UNUSABLE, [(ada.products["vat"], ada.order.id)])


def test_the_use_of_a_paid_order_does_not_count(session, ada, once):
    ada.set_code("vat")
    ada.claim("vat")
    ada.order.state, ada.order.open_learner_id = "paid", None
    session.flush()
    assert ada.set_code("vat") == UNUSABLE
    session.expire_all()
    assert cart_views.learner_cart(session, ada.id, NOON, SHOP).quote.refusals[0].reason == "unusable"


def test_pieces_of_the_open_order_can_be_in_the_cart_too(session, ada):
    ada.claim("book", quantity=2)
    book = ada.products["book"]
    assert cart_lines.change(session, ada.id, book, Change(quantity=3), NOON) is None
    assert cart_lines.change(session, ada.id, book, Change(quantity=4), NOON) == "Only 3 of Tables are left."
    (line,) = [line for line in cart_views.learner_cart(session, ada.id, NOON, SHOP).lines if line.product.id == book]
    assert (line.product.stock, line.priced.quantity) == (3, 3)


def test_others_see_only_what_is_left(session, ada):
    grace = Shopper(session, "Grace Hopper", ada.products)
    ada.claim("book", quantity=2)
    assert (
        cart_lines.change(session, grace.id, ada.products["book"], Change(quantity=2), NOON)
        == "Only 1 of Tables are left."
    )

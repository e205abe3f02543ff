"""What a form is refused by reading alone, as in a rush for the last pieces, is what placing its order refuses."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from domain.cart import lines as cart_lines
from domain.checkout import checkout_form, purchase
from domain.checkout.placement import Changed, Failed, Placed
from domain.checkout.purchase import PlaceForm, PurchaseTerms
from domain.orders.settings import Context
from domain.tables import Learner, Product, ShopItem
from tests.domain.orders import selling
from tests.domain.orders.selling import SETTINGS, World
from tests.support.factories import NOON
from tests.support.shops import SHOP

VALUES = {"billing.name": "Ada Lovelace", "billing.country": "US", "buyer": "private"}
TERMS, CONTEXT = PurchaseTerms(SHOP, "2026-01-01"), Context(NOON, SETTINGS)


@pytest.fixture
def world(session) -> World:
    """With a voucher in the cart, of which there is one."""
    world = selling.fill(session)
    session.get_one(ShopItem, world.voucher).stock = 1
    assert cart_lines.add(session, world.learner, world.voucher, NOON) is None
    return world


def form_of(session, world: World, **about) -> PlaceForm:
    seen = checkout_form.read(session, world.learner, SHOP, SETTINGS, NOON).quoted.price.seen
    return PlaceForm(**{"key": "key-1", "seen": seen, "values": VALUES, "terms": TERMS.date, **about})


def sell_out(session, world: World) -> None:
    session.get_one(ShopItem, world.voucher).stock = 0


def raise_the_price(session, world: World) -> None:
    session.get_one(Product, world.voucher).list_price = Decimal("95.00")


def retire(session, world: World) -> None:
    session.get_one(Product, world.voucher).status = "retired"


def forget_the_address(session, world: World) -> None:
    session.get_one(Learner, world.learner).email = ""


def empty_the_cart(session, world: World) -> None:
    cart_lines.remove(session, world.learner, world.voucher)


REFUSED: dict[str, tuple[Callable[..., None], type]] = {
    "sold out": (sell_out, Failed),
    "another price": (raise_the_price, Changed),
    "not sold any more": (retire, Failed),
    "no address for the receipt": (forget_the_address, Failed),
    "nothing in the cart": (empty_the_cart, Failed),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_refuses_what_placing_refuses_in_the_same_words(session, world, case):
    change, kind = REFUSED[case]
    form = form_of(session, world)
    change(session, world)
    session.flush()
    found = purchase.refusal(session, world.learner, form, TERMS, CONTEXT)
    assert isinstance(found, kind)
    assert found == purchase.place_cart(session, world.learner, form, TERMS, CONTEXT)


@pytest.mark.parametrize("about", [{}, {"values": {}}, {"terms": ""}], ids=["all is well", "a field", "the terms"])
def test_what_it_cannot_tell_is_left_to_placing(session, world, about):
    form = form_of(session, world, **about)
    if about:
        sell_out(session, world)
    assert purchase.refusal(session, world.learner, form, TERMS, CONTEXT) is None


@pytest.mark.each_database
def test_whoever_has_ordered_is_never_refused_by_reading(session, world):
    """A repeated press gets its order, and another one may release what it needs."""
    form = form_of(session, world)
    placed = purchase.place_cart(session, world.learner, form, TERMS, CONTEXT)
    assert isinstance(placed, Placed)
    for key in ("key-1", "key-2"):
        again = form_of(session, world, key=key)
        assert purchase.refusal(session, world.learner, again, TERMS, CONTEXT) is None
    assert selling.stock_of(session, world.voucher) == 0
    assert purchase.place_cart(session, world.learner, form, TERMS, CONTEXT).code == placed.code

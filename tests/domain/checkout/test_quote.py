"""What an order costs by the pricing engine, with delivery and tax, as the order stores it."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial

import pytest

from domain import money
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.errors import InvalidInput
from domain.orders.lines import lines_of
from domain.orders.settings import Context
from domain.pricing import engine_versions, quote_reader
from domain.shop_settings.shop import ShopSettings
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, Order, TaxRate
from tests.domain.orders import selling
from tests.support.factories import NOON

SHOP = ShopSettings(money.currency("USD"), "US", "", "exclusive")


def price(session, request, at):
    return checkout_quote.price(session, request, SHOP, at)


@pytest.fixture
def world(session):
    """Delivery to Germany alone costs 4.90; 7 % on books, 19 % on courses and delivery there."""
    zone = DeliveryZone(name="Germany")
    session.add(zone)
    session.flush()
    since = date(2020, 1, 1)
    session.add(DeliveryPlace(zone_id=zone.id, country="DE"))
    session.add(
        DeliveryRate(zone_id=zone.id, service="Standard", price_minor=490, days_min=2, days_max=4, starts_on=since)
    )
    for tax_class, percent in (("service", 19), ("goods", 7), ("book", 7), ("delivery", 19)):
        rate = {"country": "DE", "tax_class": tax_class, "label": "VAT", "percent": Decimal(percent)}
        session.add(TaxRate(**rate, starts_on=since))
    session.flush()
    return selling.fill(session)


def request_of(session, world, country="DE", **about):
    lines = (RequestedItem(world.course), RequestedItem(world.book, 2))
    address = {"name": "Ada", "country": country}
    request = OrderRequest(world.learner, "key", Seen(), lines, address, **{"delivery": address, **about})
    return replace(request, seen=price(session, request, NOON).seen)


@pytest.mark.each_database
def test_the_order_stores_what_the_engine_computed_and_the_engine_computes_it_again(session, world):
    result = placement.place(session, request_of(session, world), price, Context(NOON, selling.SETTINGS))
    assert isinstance(result, Placed), result
    order = session.get_one(Order, result.order_id)
    lines = lines_of(session, order.id)
    assert [(line.kind, line.quantity, line.net_minor) for line in lines] == [
        ("product", 1, 4000),
        ("product", 2, 3000),
        ("delivery", 1, 490),
    ]
    assert (order.delivery_minor, order.tax_place, order.tax_kind) == (490, "DE", "standard")
    assert sum(line.total_minor for line in lines) == order.total_minor
    assert sum(line.tax_minor for line in lines) == order.tax_minor > 0
    assert (lines[0].taxes[0]["percent"], lines[1].sku) == ("19.000", "SKU-the-book")
    session.expire_all()
    assert engine_versions.replay(order.quote) == quote_reader.from_json(order.quote)[1]
    assert selling.apply(session, order, selling.snapshot(order)) == "settled"


def test_a_coupon_of_the_whole_cart_and_a_code_of_a_line_are_named_in_the_lines(session, world):
    free = request_of(session, world, coupon_id=world.coupon)
    assert [(line.offer_step, line.offer_id, line.cart_code) for line in price(session, free, NOON).lines][:2] == [
        ("coupon", world.coupon, "SPRING"),
        ("coupon", world.coupon, "SPRING"),
    ]
    code = replace(free, coupon_id=None, lines=(RequestedItem(world.course, coupon_id=world.coupon),))
    line = price(session, code, NOON).lines[0]
    assert (line.offer_step, line.offer_id, line.line_code, line.total_minor) == ("code", world.coupon, "SPRING", 0)


def test_a_country_without_delivery_is_refused_at_its_field(session, world):
    with pytest.raises(InvalidInput) as refused:
        price(session, partial(replace, request_of(session, world))(delivery={"country": "FR"}), NOON)
    assert list(refused.value.errors) == ["delivery.country"]
    assert "France" in refused.value.errors["delivery.country"]


# The delivery address -> where it is taxed, and the percentages of the book (German shop, prices without tax).
SPAIN = {
    ("ES", "TF", "38001"): ("ES-TF", []),
    ("ES", "GC", "35001"): ("ES-GC", []),
    ("ES", "CE", "51001"): ("ES-CE", []),
    ("ES", "M", "28001"): ("ES-M", ["4.000"]),
}


@pytest.mark.parametrize("address", SPAIN, ids=" ".join)
def test_parts_of_a_country_outside_the_vat_area_pay_no_vat(session, world, address):
    country, area, postal_code = address
    zone = session.query(DeliveryZone).one()
    session.add(DeliveryPlace(zone_id=zone.id, country="ES"))
    rate = {"country": "ES", "label": "VAT", "percent": Decimal(4), "starts_on": date(2020, 1, 1)}
    session.add_all(TaxRate(**rate, tax_class=tax_class) for tax_class in ("book", "goods"))
    delivery = {"name": "Ada", "country": country, "country_area": area, "postal_code": postal_code}
    shop = replace(SHOP, country="DE", currency=money.currency("EUR"))
    priced = checkout_quote.price(
        session, replace(request_of(session, world), billing=delivery, delivery=delivery), shop, NOON
    )
    (book,) = (line for line in priced.lines if line.product_id == world.book)
    assert (priced.tax_place, [tax["percent"] for tax in book.taxes]) == SPAIN[address]
    assert (priced.tax_kind, priced.delivery_minor) == ("standard" if SPAIN[address][1] else "none", 490)

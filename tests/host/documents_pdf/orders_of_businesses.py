"""Orders of businesses, priced by the engine and settled, for tests of the structured form of their documents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.documents.issuer import Issuer
from domain.money import currency
from domain.orders.lines import lines_of
from domain.orders.refunds import requests
from domain.orders.refunds.refund_rows import Part, RefundTerms
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context, OrderSettings
from domain.payments import settlement
from domain.payments.gateway import Reference, RefundSnapshot
from domain.shop_settings.shop import PriceMode, ShopSettings
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, Document, Order, Product, ShopItem, TaxRate
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER
from tests.support import factories
from tests.support.factories import NOON

SELLER = Issuer("Meridian Learning GmbH", ("Werkstraße 3", "70174 Stuttgart"), "DE136695976", "ML-", country="DE")
BRANDT = {
    "name": "Jörg Müller",
    "company_name": "Brandt & Söhne <Verlag>",
    "street_address": "Lindenstraße 12",
    "city": "Berlin",
    "postal_code": "10969",
    "country": "DE",
    "vat_id": "DE129274202",
}
PARIS = {**BRANDT, "company_name": "Lumière SARL", "city": "Paris", "country": "FR", "vat_id": "FR40303265045"}
AUSTIN = {**BRANDT, "company_name": "Northwind", "city": "Austin", "country": "US", "country_area": "TX", "vat_id": ""}


@dataclass(frozen=True)
class Sale:
    """What is bought, by the name of the product -> quantity. `reduced`: products with a sale price. `code`: percent of
    a coupon on each line. `back`: quantity that is refunded, by the number of the line."""

    bought: Mapping[str, int]
    billing: Mapping[str, Any] = field(default_factory=lambda: BRANDT)
    mode: PriceMode = "exclusive"
    currency: str = "EUR"
    reduced: tuple[str, ...] = ()
    code: int = 0
    back: Mapping[int, int] = field(default_factory=dict)
    number: str = ""
    issuer: Issuer = SELLER


def bodies(session: Session, sale: Sale) -> list[Any]:
    """The bodies of the documents of a paid order, the invoice first."""
    order = buy(session, sale)
    if sale.back:
        _give_back(session, sale, order)
    query = select(Document.body).where(Document.order_id == order.id)
    return list(session.scalars(query.order_by(Document.id)))


def buy(session: Session, sale: Sale) -> Order:
    shop, settings = _shop(sale), OrderSettings(issuer=sale.issuer)
    world = _fill(session, sale)
    coupon = factories.coupon(session, "SUMMER", value=Decimal(sale.code)).id if sale.code else None
    lines = tuple(RequestedItem(getattr(world, name), quantity, coupon) for name, quantity in sale.bought.items())
    is_shipped = "book" in sale.bought
    about = {"billing": sale.billing, "delivery": sale.billing if is_shipped else None, "purchase_order": sale.number}
    request = OrderRequest(world.learner, "key-1", Seen(), lines, **about)

    def price(of: Session, wanted: OrderRequest, at: Any) -> Any:
        return checkout_quote.price(of, wanted, shop, at)

    request = replace(request, seen=price(session, request, NOON).seen)
    placed = placement.place(session, request, price, Context(NOON, settings))
    assert isinstance(placed, Placed), placed
    order = session.get_one(Order, placed.order_id)
    if order.total_minor:
        assert _apply(session, sale, order, selling.snapshot(order)) == "settled"
    return order


def _give_back(session: Session, sale: Sale, order: Order) -> None:
    lines = {line.number: line for line in lines_of(session, order.id)}
    parts = [
        Part(lines[number], share_of(lines[number], quantity, currency(order.currency)))
        for number, quantity in sale.back.items()
    ]
    terms = RefundTerms("request", "learner", selling.payment_of(session, order))
    refund = requests.refund_lines(session, order, parts, terms, Context(LATER, OrderSettings(issuer=sale.issuer)))
    reference = Reference("shop-1", order.code, 1, refund.number)
    answer = RefundSnapshot("re_1", "succeeded", refund.amount_minor, order.currency, LATER, reference)
    _apply(session, sale, order, selling.snapshot(order, refunds=(answer,)))


def _apply(session: Session, sale: Sale, order: Order, found: Any) -> str:
    shop = selling.Shop(settings=OrderSettings(issuer=sale.issuer))
    return settlement.apply(session, selling.ref_of(session, order), found, shop, LATER)


def _shop(sale: Sale) -> ShopSettings:
    return ShopSettings(currency(sale.currency), "DE", "", sale.mode, has_vat_id=bool(sale.issuer.vat_id))


def _fill(session: Session, sale: Sale) -> selling.World:
    """German rates, none for vouchers, and two taxes on courses in Quebec; delivery of 5.00 to Germany and France."""
    since = date(2020, 1, 1)
    zone = DeliveryZone(name="Near")
    session.add(zone)
    session.flush()
    for country in ("DE", "FR"):
        session.add(DeliveryPlace(zone_id=zone.id, country=country))
    rate = {"zone_id": zone.id, "service": "Standard", "price_minor": 500, "days_min": 2, "days_max": 4}
    session.add(DeliveryRate(**rate, starts_on=since))
    rates = [("DE", "service", "19"), ("DE", "goods", "7"), ("DE", "book", "7"), ("DE", "delivery", "19")]
    rates += [("GB", "service", "0"), ("CA", "service", "5"), ("CA", "service", "9.975")]
    for country, tax_class, percent in rates:
        tax = {"country": country, "tax_class": tax_class, "label": f"VAT {percent}", "percent": Decimal(percent)}
        session.add(TaxRate(**tax, starts_on=since))
    world = selling.fill(session, stock=50)
    session.get_one(ShopItem, world.book).tax_class = "book"
    session.get_one(ShopItem, world.voucher).tax_class = "voucher"
    for name in sale.reduced:
        product = session.get_one(Product, getattr(world, name))
        product.sale_price = product.list_price - Decimal("3.50")
    session.flush()
    return world

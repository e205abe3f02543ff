"""What an order costs: the wanted lines at today's prices, with the offers of this learner, delivery and tax."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from domain import money
from domain.cart.owners import Owner
from domain.cart.products import CartProduct, products
from domain.cart.views import CartEntry, line_of, pricing_context
from domain.checkout.placement import OrderRequest
from domain.checkout.priced import CheckoutLine, CheckoutPrice, RequestedItem
from domain.delivery import rates
from domain.delivery.rates import Service, ShippedLine
from domain.errors import InvalidInput
from domain.money import Currency
from domain.organisations.access import access_of
from domain.postal_addresses import countries as address_countries
from domain.pricing import engine as pricing_engine
from domain.pricing import quote_document
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Delivery
from domain.pricing.order_columns import line_columns, order_columns
from domain.pricing.quote import PricedLine, Quote
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import TaxClass
from domain.tax.places import Place, place_of, tax_place
from domain.tax.rates import Buyer, tax_for

SHIPPED = "shipped"
# The field at which a place without delivery is refused.
NO_DELIVERY_FIELD = "delivery.country"


@dataclass(frozen=True)
class CheckoutQuote:
    """`services`: those that deliver the shipped lines, cheapest first; none when nothing is shipped. `no_delivery`:
    why nothing delivers them to the country, a text; "" when something does."""

    price: CheckoutPrice
    quote: Quote
    inputs: QuoteInputs
    services: Sequence[Service] = ()
    chosen: Service | None = None
    no_delivery: str = ""


def price(session: Session, wanted: OrderRequest, shop: ShopSettings, at: datetime) -> CheckoutPrice:
    """Price an order, with the delivery service that was chosen, else the cheapest. Products that are not sold are left
    out: `purchase_checks` refuses them. Raises InvalidInput for a country to which nothing is delivered."""
    by_id = wanted.products
    if by_id is None:
        by_id = products(session, [line.product_id for line in wanted.lines], wanted.learner_id)
    quoted = quote(session, wanted, by_id, shop, at)
    if quoted.no_delivery:
        raise InvalidInput({NO_DELIVERY_FIELD: quoted.no_delivery})
    return replace(quoted.price, document=quote_document.to_json(quoted.inputs, quoted.quote))


def quote(
    session: Session, wanted: OrderRequest, by_id: Mapping[int, CartProduct], shop: ShopSettings, at: datetime
) -> CheckoutQuote:
    """The price of an order with the services to choose from, without the document. `by_id`: the products, which were
    read before. Where nothing is delivered, the price is without delivery."""
    inputs = _inputs(session, wanted, by_id, shop, at)
    services, refusal = _services(session, wanted, inputs, by_id, at)
    chosen = _chosen(services, wanted.service)
    inputs = with_tax_and_delivery(session, wanted, inputs, chosen, at)
    computed = pricing_engine.price(inputs)
    priced = _checkout_price(wanted.lines, by_id, inputs, computed)
    return CheckoutQuote(priced, computed, inputs, services, chosen, refusal)


def _inputs(
    session: Session, wanted: OrderRequest, by_id: Mapping[int, CartProduct], shop: ShopSettings, at: datetime
) -> QuoteInputs:
    owner, access = Owner(wanted.learner_id), access_of(session, wanted.learner_id, at)
    ids = [line.coupon_id for line in wanted.lines if line.coupon_id is not None]
    ids += [] if wanted.coupon_id is None else [wanted.coupon_id]
    context = pricing_context(session, owner, access, ids, at, shop)
    entries = [
        CartEntry(by_id[line.product_id], line.quantity, line.coupon_id)
        for line in wanted.lines
        if line.product_id in by_id
    ]
    lines = tuple(line_of(context, entry) for entry in entries)
    coupon = context.offer("coupon", wanted.coupon_id, None)
    return QuoteInputs(lines, coupon, shop, refusals=tuple(context.refusals))


def _services(
    session: Session, wanted: OrderRequest, inputs: QuoteInputs, by_id: Mapping[int, CartProduct], at: datetime
) -> tuple[Sequence[Service], str]:
    """The services that deliver the shipped lines, cheapest first, else why there are none; () and "" when nothing is
    shipped."""
    if not any(by_id[line.id].fulfilment == SHIPPED for line in inputs.lines):
        return (), ""
    shipped = [line for line in pricing_engine.price(inputs).lines if by_id[line.id].fulfilment == SHIPPED]
    place, currency = place_at(wanted.delivery or wanted.billing), inputs.shop.currency
    lines = [
        ShippedLine(by_id[line.id].weight_g, line.quantity, money.to_minor(line.offered, currency)) for line in shipped
    ]
    found = rates.services_for(session, place, lines, at.date())
    if found:
        return found, ""
    name = address_countries.countries().get(place.country, place.country)
    return (), rates.refusal(session, place, name)


def _chosen(services: Sequence[Service], name: str | None) -> Service | None:
    return next((service for service in services if service.service == name), services[0] if services else None)


def with_tax_and_delivery(
    session: Session, wanted: OrderRequest, inputs: QuoteInputs, service: Service | None, at: datetime
) -> QuoteInputs:
    """The inputs with what only the addresses tell."""
    billing, currency = tax_place(wanted.billing), inputs.shop.currency
    address = wanted.billing if service is None else wanted.delivery or wanted.billing
    place = place_of(None if service is None else tax_place(address), billing)
    classes: set[TaxClass] = {line.tax_class for line in inputs.lines}
    classes |= set() if service is None else {"delivery"}
    buyer = Buyer(billing.country, str(wanted.billing.get("vat_id", "")), billing.region)
    postal_code = str(address.get("postal_code") or "")
    tax = tax_for(session, place, classes, at.date(), buyer, inputs.shop, postal_code)
    delivery = None if service is None else _delivery(service, currency)
    return QuoteInputs(inputs.lines, inputs.coupon, inputs.shop, tax, delivery, inputs.refusals)


def place_at(address: Mapping[str, Any]) -> Place:
    """Where parcels to a checked address go; its taxes may be those of another place (`places.tax_place`)."""
    return Place(str(address.get("country", "")), str(address.get("country_area", "")))


def _delivery(service: Service, currency: Currency) -> Delivery:
    free_from = None if service.free_from_minor is None else money.from_minor(service.free_from_minor, currency)
    price, list_price = (money.from_minor(minor, currency) for minor in (service.price_minor, service.list_price_minor))
    return Delivery(service.service, price, list_price, free_from, service.rate_id)


def _checkout_price(
    wanted: Sequence[RequestedItem], by_id: Mapping[int, CartProduct], inputs: QuoteInputs, quote: Quote
) -> CheckoutPrice:
    currency, gifts = inputs.shop.currency, {line.product_id: line.gift for line in wanted}
    return CheckoutPrice(
        lines=tuple(_line(line, by_id.get(line.id), gifts.get(line.id), quote, currency) for line in quote.lines),
        document={},
        **order_columns(quote),
    )


def _line(
    line: PricedLine,
    product: CartProduct | None,
    gift: Mapping[str, Any] | None,
    quote: Quote,
    currency: Currency,
) -> CheckoutLine:
    refused = next((refusal.message for refusal in quote.refusals if refusal.line_id in (line.id, None)), "")
    return CheckoutLine(
        name=line.steps[0].name if product is None else product.name,
        product_id=None if product is None else product.id,
        sku="" if product is None else product.sku,
        fulfilment="" if product is None else product.fulfilment,
        agent="" if product is None else product.agent,
        gift=gift,
        reason=refused,
        offered_minor=money.to_minor(line.offered, currency),
        **line_columns(line, currency),
    )

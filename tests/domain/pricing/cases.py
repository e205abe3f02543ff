"""Converts the cases of contracts/cases/pricing.json (money in minor units, camelCase) for the engine and back."""

from decimal import Decimal
from typing import Any

from domain.money import Currency, currency, from_minor, to_minor
from domain.pricing import engine as pricing_engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Delivery, Line, Offer
from domain.pricing.quote import PricedLine, Quote, Refusal, RejectedOffer, Step
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import Components, TaxClass, TaxComponent, TaxContext
from domain.tax.places import parse_place

Json = dict[str, Any]


def offer(data: Json | None, currency: Currency) -> Offer | None:
    if data is None:
        return None
    return Offer(
        name=data["name"],
        kind=data["kind"],
        value=percent(data["value"]) if data["kind"] == "percent" else from_minor(data["value"], currency),
        minimum=from_minor(data.get("minimum", 0), currency),
        applies_to=data.get("covers", "all"),
        products=frozenset(data.get("products", ())),
        scope=data.get("scope", "everything"),
        once_per_order=data.get("oncePerOrder", False),
    )


def percent(hundredths: int) -> Decimal:
    return Decimal(hundredths).scaleb(-2)


def line(data: Json, currency: Currency) -> Line:
    sale = data.get("salePrice")
    return Line(
        id=data["id"],
        kind=data.get("kind", "course"),
        category=data.get("category", "tax"),
        list_price=from_minor(data["listPrice"], currency),
        sale_price=None if sale is None else from_minor(sale, currency),
        quantity=data.get("quantity", 1),
        organisation=offer(data.get("organisation"), currency),
        code=offer(data.get("code"), currency),
        tax_class=data.get("taxClass", "service"),
    )


def tax(data: Json | None) -> TaxContext | None:
    if data is None:
        return None
    return TaxContext(
        place=parse_place(data.get("place", "US")),
        rates=rates(data.get("rates", {})),
        home_rates=rates(data.get("homeRates", {})),
        reverse_charge=frozenset(data.get("reverseCharge", ())),
    )


def rates(data: Json) -> dict[TaxClass, Components]:
    return {
        tax_class: tuple(TaxComponent(row["label"], Decimal(row["percent"]).scaleb(-3)) for row in rows)
        for tax_class, rows in data.items()
    }


def delivery(data: Json | None, currency: Currency) -> Delivery | None:
    if data is None:
        return None
    price, list_price = (from_minor(data[name], currency) for name in ("price", "listPrice"))
    return Delivery(data["service"], price, list_price)


def inputs(case: Json) -> QuoteInputs:
    """A case names its currency unless it is USD, its price mode unless it is exclusive, and its locale unless its
    messages have plain decimals."""
    money = currency(case.get("currency", "USD"))
    shop = ShopSettings(money, "US", "", case.get("priceMode", "exclusive"), case.get("locale", ""))
    lines = tuple(line(data, money) for data in case["lines"])
    coupon = offer(case.get("coupon"), money)
    return QuoteInputs(lines, coupon, shop, tax(case.get("tax")), delivery(case.get("delivery"), money))


def quoted(case: Json) -> Json:
    """The quote of a case, written as the case's `quote`."""
    return written(pricing_engine.price(inputs(case)))


def written(quote: Quote) -> Json:
    """In minor units. Amounts of delivery and included tax are left out where they are 0."""
    money = currency(quote.currency)

    def minor(amount: Decimal) -> int:
        return to_minor(amount, money)

    def step(step: Step) -> Json:
        data = {"step": step.step, "name": step.name, "change": minor(step.change), "total": minor(step.total)}
        return data | _unless_0(included=minor(step.included))

    def rejected(offer: RejectedOffer) -> Json:
        texts = {"step": offer.step, "name": offer.name, "reason": offer.reason, "message": offer.message}
        return texts | {"total": minor(offer.total)}

    def priced(line: PricedLine) -> Json:
        discount = None if line.unit_discount is None else minor(line.unit_discount)
        units = {"quantity": line.quantity, "unitPrice": minor(line.unit_price), "unitDiscount": discount}
        steps, offers = [step(each) for each in line.steps], [rejected(each) for each in line.rejected_offers]
        kind = {} if line.kind == "product" else {"kind": line.kind}
        return {"id": line.id, **kind, **units, "total": minor(line.total), "steps": steps, "rejectedOffers": offers}

    return {
        "lines": [priced(line) for line in quote.lines],
        "refusals": [_refusal(refusal) for refusal in quote.refusals],
        "subtotal": minor(quote.subtotal),
        "discount": minor(quote.discount),
        "tax": minor(quote.tax),
        "total": minor(quote.total),
    } | _unless_0(delivery=minor(quote.delivery), removedTax=minor(quote.removed_tax))


def _unless_0(**amounts: int) -> Json:
    return {name: amount for name, amount in amounts.items() if amount}


def _refusal(refusal: Refusal) -> Json:
    texts = {"step": refusal.step, "name": refusal.name, "reason": refusal.reason, "message": refusal.message}
    return texts | {"lineId": refusal.line_id}

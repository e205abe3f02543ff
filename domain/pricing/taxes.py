"""Steps of tax: one for each component, rounded half up for each line and component."""

from collections.abc import Iterator
from decimal import Decimal

from domain.money import Currency, rounded
from domain.pricing.quote import Step, StepFacts
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import Components, TaxClass, TaxComponent, TaxContext


def tax_steps(price: Decimal, tax_class: TaxClass, shop: ShopSettings, tax: TaxContext | None) -> tuple[Step, ...]:
    """The taxes of a line that costs `price` after offers. Exclusive prices: the tax is added. Inclusive ones: the
    price holds wherever tax is due; where none is due, the tax of the shop's own place is taken out."""
    if tax is None:
        return ()
    due, currency = tax.components(tax_class), shop.currency
    if shop.price_mode == "exclusive":
        return tuple(_added(price, due, currency))
    if due:
        return tuple(_included(price, due, currency))
    return tuple(_removed(price, tax.home_components(tax_class), currency))


def _added(price: Decimal, components: Components, currency: Currency) -> Iterator[Step]:
    total = price
    for component in components:
        tax = rounded(price * component.percent / 100, currency)
        total += tax
        yield _step(component, tax, total, price)


def _included(price: Decimal, components: Components, currency: Currency) -> Iterator[Step]:
    for component, part in _parts(price, components, currency):
        yield _step(component, Decimal(0), price, price, part)


def _removed(price: Decimal, components: Components, currency: Currency) -> Iterator[Step]:
    total = price
    for component, part in _parts(price, components, currency):
        if part:
            total -= part
            yield _step(component, -part, total, price)


def _parts(price: Decimal, components: Components, currency: Currency) -> Iterator[tuple[TaxComponent, Decimal]]:
    """The part of an inclusive price that is tax, by component; together at most the price."""
    percents = sum((component.percent for component in components), Decimal(0))
    left = price
    for component in components:
        part = min(left, rounded(price * component.percent / (100 + percents), currency))
        left -= part
        yield component, part


def _step(
    component: TaxComponent, change: Decimal, total: Decimal, base: Decimal, included: Decimal = Decimal(0)
) -> Step:
    facts = StepFacts(percent=component.percent, base=base, rate_id=component.rate_id)
    return Step("tax", component.label, change, total, included, None, facts)

"""A quote in minor units: the columns in which orders and their lines store it."""

from decimal import Decimal
from typing import Any

from domain import money
from domain.money import Currency
from domain.pricing.quote import PricedLine, Quote, Step

Columns = dict[str, Any]
# Steps that an offer makes; of a line's steps at most one is among them.
OFFERS = ("organisation", "code", "coupon")


def order_columns(quote: Quote) -> Columns:
    """Columns of `orders` by their names."""
    currency = money.currency(quote.currency)
    amounts = {
        "subtotal_minor": quote.subtotal,
        "discount_minor": quote.discount,
        "delivery_minor": quote.delivery,
        "tax_minor": quote.tax,
        "total_minor": quote.total,
    }
    return {
        "currency": quote.currency,
        "price_mode": quote.price_mode,
        **_minor(amounts, currency),
        "engine_version": quote.engine_version,
        "tax_place": "" if quote.place is None else quote.place.text,
        "tax_kind": quote.tax_kind,
    }


def line_columns(line: PricedLine, currency: Currency) -> Columns:
    """Columns of `order_lines` by their names, but for those of the product."""
    offer = next((step for step in reversed(line.steps) if step.step in OFFERS), None)
    amounts = {
        "list_minor": line.steps[0].total / line.quantity,
        "unit_minor": line.unit_price,
        "net_minor": line.net,
        "tax_minor": line.tax,
        "total_minor": line.total,
    }
    return {
        "kind": line.kind,
        "quantity": line.quantity,
        **_minor(amounts, currency),
        "offer_step": "" if offer is None else offer.step,
        "offer_id": None if offer is None or offer.ref is None else offer.ref.id,
        "line_code": offer.name if offer is not None and offer.step == "code" else "",
        "cart_code": offer.name if offer is not None and offer.step == "coupon" else "",
        "steps": tuple(_step(step, currency) for step in line.steps),
        "taxes": tuple(_tax(step, currency) for step in line.taxes),
    }


def _step(step: Step, currency: Currency) -> Columns:
    amounts = {"change_minor": step.change, "total_minor": step.total, "included_minor": step.included}
    ref = None if step.ref is None else {"kind": step.ref.kind, "id": step.ref.id}
    return {"step": step.step, "name": step.name, "ref": ref, **_minor(amounts, currency)}


def _tax(step: Step, currency: Currency) -> Columns:
    facts = step.facts
    return {
        "label": step.name,
        "percent": "" if facts is None or facts.percent is None else f"{facts.percent:f}",
        "base_minor": 0 if facts is None or facts.base is None else money.to_minor(facts.base, currency),
        "minor": money.to_minor(step.tax, currency),
        "rate_id": None if facts is None else facts.rate_id,
    }


def _minor(amounts: dict[str, Decimal], currency: Currency) -> Columns:
    return {name: money.to_minor(amount, currency) for name, amount in amounts.items()}

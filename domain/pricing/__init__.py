"""Pricing: one engine for page, cart, checkout, order and invoice.

    quote = pricing.quote(lines, coupon, shop)     # lines with their own offers, and the coupon of the whole cart

list -> sale -> organisation, code or coupon, whichever is lowest -> tax. Delivery is a line with tax of its own. A
quote has every step, so that each price can be explained, and rejected offers with their reasons.
contracts/cases/pricing.json tests this engine and the browser's.
"""

from collections.abc import Sequence

from domain.pricing.engine import price
from domain.pricing.engine_versions import UnknownEngine, replay
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Delivery, Line, Offer, OfferRef, Window
from domain.pricing.quote import PricedLine, Quote, Refusal, RejectedOffer, Step, StepFacts
from domain.pricing.quote_document import to_json
from domain.pricing.quote_reader import from_json
from domain.pricing.rules import RULES, first_refusal
from domain.shop_settings import ShopSettings
from domain.tax.context import TaxContext

__all__ = [
    "RULES",
    "Delivery",
    "Line",
    "Offer",
    "OfferRef",
    "PricedLine",
    "Quote",
    "QuoteInputs",
    "Refusal",
    "RejectedOffer",
    "Step",
    "StepFacts",
    "UnknownEngine",
    "Window",
    "first_refusal",
    "from_json",
    "price",
    "quote",
    "replay",
    "to_json",
]


def quote(
    lines: Sequence[Line],
    coupon: Offer | None,
    shop: ShopSettings,
    tax: TaxContext | None = None,
    delivery: Delivery | None = None,
) -> Quote:
    """`coupon`: of the whole cart. `tax` and `delivery` None: not known yet, as in a cart."""
    return price(QuoteInputs(tuple(lines), coupon, shop, tax, delivery))

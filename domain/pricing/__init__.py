"""Pricing: one engine for page, cart, checkout, order and invoice.

    quote = pricing.quote(lines, coupon)     # lines with their own offers, and the coupon of the whole cart

list -> sale -> organisation, code or coupon, whichever is lowest -> tax. A quote has every step, so that each price can
be explained, and rejected offers with their reasons. contracts/cases/pricing.json tests this engine and the browser's.
"""

from domain.pricing.engine import quote
from domain.pricing.offers import Line, Offer
from domain.pricing.quote import PricedLine, Quote, Refusal, RejectedOffer, Step
from domain.pricing.rules import RULES, first_refusal

__all__ = [
    "RULES",
    "Line",
    "Offer",
    "PricedLine",
    "Quote",
    "Refusal",
    "RejectedOffer",
    "Step",
    "first_refusal",
    "quote",
]

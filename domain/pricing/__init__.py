"""What things cost: one engine for page, cart, checkout, order and invoice.

    quote = pricing.quote(lines, coupon)     # lines with their own offers, and the coupon of the whole cart

list -> sale -> organisation, code or coupon, whichever is lowest -> tax. Every step is kept, so that each price can be
explained; what lost is named with the reason. tests/agreements/pricing.json holds this and the browser's twin together.
"""

from domain.pricing.offers import Line, Offer
from domain.pricing.quotes import Loser, PricedLine, Quote, Refusal, Step
from domain.pricing.quoting import quote
from domain.pricing.rules import RULES, refusal_of

__all__ = ["RULES", "Line", "Loser", "Offer", "PricedLine", "Quote", "Refusal", "Step", "quote", "refusal_of"]

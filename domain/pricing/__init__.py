"""Pricing: one engine for page, cart, checkout, order and invoice.

    quote = price(QuoteInputs(lines, coupon, shop))     # lines with their own offers, and the coupon of the whole cart

list -> sale -> organisation, code or coupon, whichever is lowest -> tax. Delivery is a line with tax of its own. A
quote has every step, so that each price can be explained, and rejected offers with their reasons.
contracts/cases/pricing.json tests this engine and the browser's.
"""

"""What a coupon would have done with orders of the past: pure, by the engine that prices carts.

An order holds what it was priced from: its lines with the prices, sales, contracts and codes of then. The same cart is
priced again with the coupon in place of what was on the whole cart. Whoever had something better keeps it.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from domain.pricing import engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Offer
from domain.pricing.quote import Quote


@dataclass(frozen=True)
class OrderEffect:
    """`is_qualified`: no rule of the coupon refuses the cart. `price`: what its products cost, before tax that is added
    and before delivery; `cost`: by how much the coupon would have lowered that."""

    is_qualified: bool
    price: Decimal
    cost: Decimal

    @property
    def is_lower(self) -> bool:
        return self.cost > 0


def effect_of(inputs: QuoteInputs, coupon: Offer) -> OrderEffect:
    tried = engine.price(replace(inputs, coupon=coupon, refusals=()))
    price = _price_of_products(engine.price(inputs))
    is_qualified = not any(refusal.step == "coupon" for refusal in tried.refusals)
    cost = max(Decimal(0), price - _price_of_products(tried)) if is_qualified else Decimal(0)
    return OrderEffect(is_qualified, price, cost)


def _price_of_products(quote: Quote) -> Decimal:
    return quote.subtotal - quote.discount

"""Everything that a quote is computed from: an order stores it, so that the same quote can be computed again."""

from dataclasses import dataclass

from domain.pricing.offers import Delivery, Line, Offer
from domain.pricing.quote import Refusal
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import TaxContext


@dataclass(frozen=True)
class QuoteInputs:
    """`coupon`: of the whole cart. `tax` None: not known yet, none is charged; `delivery` None: nothing is shipped or
    no service is chosen. `refusals`: offers that rules outside the engine refused, such as an ended coupon."""

    lines: tuple[Line, ...]
    coupon: Offer | None
    shop: ShopSettings
    tax: TaxContext | None = None
    delivery: Delivery | None = None
    refusals: tuple[Refusal, ...] = ()

"""What products cost a member of an organisation: one rule for the cart and for pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from domain.coupons import rules as coupon_rules
from domain.coupons.rules import CouponContext
from domain.money import rounded
from domain.organisations.access import Access, access_of
from domain.pricing.offers import Offer
from domain.shop_settings.shop import ShopSettings


@dataclass(frozen=True)
class ProductPrice:
    """A product of a page; `unit`: its price for everyone."""

    id: int
    kind: str
    unit: Decimal


def best_offer(access: Access, product: Any, unit: Decimal, at: datetime, shop: ShopSettings) -> Offer | None:
    """The contract offer with the lowest price for a product (a row with id and kind); None: no contract has one."""
    return next(iter(contract_offers(access, product, unit, at, shop)), None)


def contract_offers(access: Access, product: Any, unit: Decimal, at: datetime, shop: ShopSettings) -> list[Offer]:
    """Every contract's offer for a product, the lowest price first."""
    if not access.running_contracts:
        return []
    context = CouponContext(at, shop, organisations=access.organisations)
    terms_of_product = access.terms_for(product)
    offers = [terms.offer for terms in terms_of_product if coupon_rules.first_refusal(terms, context) is None]
    return sorted(offers, key=lambda offer: offer.unit_price(unit))


def member_prices(
    session: Session, learner_id: int, products: Iterable[ProductPrice], at: datetime, shop: ShopSettings
) -> dict[int, Decimal]:
    """Product id -> the learner's price, for products that a contract of their organisations makes cheaper."""
    access = access_of(session, learner_id, at)
    if not access.running_contracts:
        return {}
    prices = {}
    for product in products:
        offer = best_offer(access, product, product.unit, at, shop)
        price = product.unit if offer is None else rounded(offer.unit_price(product.unit), shop.currency)
        if price < product.unit:
            prices[product.id] = price
    return prices

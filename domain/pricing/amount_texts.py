"""Amounts inside the engine's messages."""

from decimal import Decimal

from domain.display_text import price_text
from domain.money import rounded, to_minor, to_text
from domain.shop_settings.shop import ShopSettings


def amount_in_text(amount: Decimal, shop: ShopSettings) -> str:
    """As pages of this shop write a price: "$1,234.50", "Free". Without a locale: "1234.50"."""
    if not shop.locale:
        return to_text(amount, shop.currency)
    return price_text(to_minor(rounded(amount, shop.currency), shop.currency), shop.currency, shop.locale)

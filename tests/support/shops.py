"""Shops of several currencies, as settings would build them."""

from domain.money import currency
from domain.shop_settings.shop import ShopSettings

USD, JPY, KWD = currency("USD"), currency("JPY"), currency("KWD")
SHOP = ShopSettings(USD, "US", "", "exclusive")
SHOPS = tuple(ShopSettings(code, "US", "", "exclusive") for code in (USD, JPY, KWD))

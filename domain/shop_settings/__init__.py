"""What the shop sells in. Settings build it once; functions take it as `shop`."""

from domain.shop_settings.shop import COOKIE_MINUTES, PriceMode, ShopSettings, UnionRules

__all__ = ["COOKIE_MINUTES", "PriceMode", "ShopSettings", "UnionRules"]

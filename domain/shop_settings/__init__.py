"""What the shop sells in. Settings build it once; functions take it as `shop`."""

from domain.shop_settings.shop import PriceMode, ShopSettings, UnionRules

__all__ = ["PriceMode", "ShopSettings", "UnionRules"]

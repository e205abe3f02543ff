"""The shop's currency, where it is, and whether its prices include tax: settings of host and workers."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from config.environment import parse_variable, read_variable
from config.parsers import currency_code, pattern, switch
from config.setting import setting
from domain.money import currency
from domain.shop_settings import PriceMode, ShopSettings


@dataclass(frozen=True)
class ShopVariables:
    """Field `shop_country` is the variable SHOP_COUNTRY, and so on."""

    currency: str = setting(currency_code, "USD", "the shop's currency, one of ISO 4217 with up to three decimals")
    shop_country: str = setting(
        pattern(r"[A-Z]{2}", "two uppercase letters such as US"),
        "US",
        "the seller's country, ISO 3166: decides which taxes are due",
    )
    shop_region: str = setting(
        pattern(r"[A-Z0-9]{1,3}", "a region's code without its country, such as CA"),
        "",
        "the seller's region where taxes differ by region, such as `CA`: ISO 3166-2 without the country",
    )
    prices_include_tax: bool = setting(switch, False, "`on`: list prices contain the tax; `off`: it is added to them")

    @cached_property
    def shop(self) -> ShopSettings:
        mode: PriceMode = "inclusive" if self.prices_include_tax else "exclusive"
        return ShopSettings(currency(self.currency), self.shop_country, self.shop_region, mode)


def read_shop(environment: Mapping[str, str]) -> ShopSettings:
    """For workers, which do not read the settings of the host. Raises SettingError."""
    values = {}
    for row in fields(ShopVariables):
        if text := read_variable(environment, row.name.upper()):
            values[row.name] = parse_variable(row.name.upper(), text, row.metadata["parse"])
    return ShopVariables(**values).shop

"""The shop's currency and locale, where it is, and whether its prices include tax: settings of host and workers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from config import defaults
from config.parsers import currency_code, integer, one_of, pattern, switch
from config.setting import read_variables, setting
from domain.locales import canonical_tag
from domain.money import currency
from domain.shop_settings.shop import COOKIE_MINUTES, PriceMode, ShopSettings, UnionRules


@dataclass(frozen=True)
class ShopVariables:
    """Field `shop_country` is the variable SHOP_COUNTRY, and so on."""

    currency: str = setting(
        currency_code,
        "USD",
        "the shop's currency, one of ISO 4217 with up to three decimals; required in production",
        is_demo=True,
    )
    locale: str = setting(
        canonical_tag,
        defaults.LOCALE,
        "how pages, mails and invoices write numbers, amounts and days: a language, with a region where it differs",
    )
    shop_country: str = setting(
        pattern(r"[A-Z]{2}", "two uppercase letters such as US"),
        "US",
        "the seller's country, ISO 3166: decides which taxes are due; required in production",
        is_demo=True,
    )
    shop_region: str = setting(
        pattern(r"[A-Z0-9]{1,3}", "a region's code without its country, such as CA"),
        "",
        "the seller's region where taxes differ by region, such as `CA`: ISO 3166-2 without the country",
    )
    union_rules: str = setting(
        one_of("auto", "on", "off"),
        "auto",
        "what consumers in the European Union are owed: `on`, `off`, or `auto`: by `SHOP_COUNTRY` (docs/operations.md)",
    )
    cookie_minutes: int = setting(
        integer(10, 43_200),
        COOKIE_MINUTES,
        "minutes that cookies live, but that of a sign-in: a guest's cart, the link or partner that led to the shop",
    )
    prices_include_tax: bool = setting(switch, False, "`on`: list prices contain the tax; `off`: it is added to them")

    @property
    def language(self) -> str:
        """The language of the words on pages: English, as `locale` has it where that is English too."""
        return self.locale if self.locale.partition("-")[0] == "en" else "en"

    @property
    def card_locale(self) -> str:
        """The language as social cards name it, which know none without a country: en_US, en_GB."""
        return self.language.replace("-", "_") if "-" in self.language else "en_US"

    @cached_property
    def shop_without_seller(self) -> ShopSettings:
        """Without what documents say about the seller (config/document_variables.py)."""
        mode: PriceMode = "inclusive" if self.prices_include_tax else "exclusive"
        place, rules = (self.shop_country, self.shop_region), cast("UnionRules", self.union_rules)
        return ShopSettings(currency(self.currency), *place, mode, self.locale, self.cookie_minutes, rules)


def read_shop(environment: Mapping[str, str]) -> ShopSettings:
    """For workers, which do not read the settings of the host. Raises SettingError."""
    return read_variables(ShopVariables, environment).shop_without_seller

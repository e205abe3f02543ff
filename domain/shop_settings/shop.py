"""The part of the settings that prices and carts depend on."""

from dataclasses import dataclass
from typing import Literal

from domain.european_union import EU_COUNTRIES
from domain.money import Currency

# Whether list prices contain tax.
PriceMode = Literal["inclusive", "exclusive"]
UnionRules = Literal["auto", "on", "off"]
# Specification §9: lifetime of all cookies but that of the sign-in.
COOKIE_MINUTES = 180


@dataclass(frozen=True)
class ShopSettings:
    """`country` and `region` are the seller's: ISO 3166 (US) and ISO 3166-2 without the country (CA, "" for none).

    `locale`: how messages about prices write amounts; "": as plain decimals, as in orders before there was one.
    `cookie_minutes`: how long a guest's cookies live, and with them the coupon of a guest's cart.
    `has_vat_id`: of the seller, without which an invoice must not say that the buyer owes the tax.
    `union_rules`: see `follows_union_rules`; auto: as the country says.
    """

    currency: Currency
    country: str
    region: str
    price_mode: PriceMode
    locale: str = ""
    cookie_minutes: int = COOKIE_MINUTES
    union_rules: UnionRules = "auto"
    has_vat_id: bool = True

    @property
    def follows_union_rules(self) -> bool:
        """Whether what consumers in the European Union are owed is shown and asked."""
        return self.union_rules == "on" or (self.union_rules == "auto" and self.country in EU_COUNTRIES)

"""Places: where an order is taxed, and which of them share the European Union's VAT."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.european_union import EU_COUNTRIES
from domain.postal_addresses.postal_codes import compact_code
from domain.tax import territories


@dataclass(frozen=True)
class Place:
    """`country`: ISO 3166-1 alpha-2; `region`: the code of its area without the country, or of a territory with a VAT
    of its own (territories.py), "" where none is known."""

    country: str
    region: str = ""

    @property
    def text(self) -> str:
        """CA-QC, or DE: the form in which orders store it."""
        return f"{self.country}-{self.region}" if self.region else self.country

    @property
    def own_country(self) -> str:
        """The country code of a territory that has one, such as MC of FR-MC; "" for none."""
        territory = territories.by_code(self.country, self.region)
        return "" if territory is None else territory.own_country

    @property
    def is_outside(self) -> bool:
        """Whether it is outside the VAT area of its country, so that rates of the whole country do not count."""
        territory = territories.by_code(self.country, self.region)
        return territory is not None and territory.vat == "outside"

    @property
    def is_in_eu(self) -> bool:
        """Whether the Union's VAT holds there for services."""
        return self.country in EU_COUNTRIES and not self.is_outside

    @property
    def is_in_eu_for_goods(self) -> bool:
        """Whether the Union's VAT holds there for goods: in Northern Ireland, too."""
        territory = territories.by_code(self.country, self.region)
        return self.is_in_eu or (territory is not None and territory.vat == "goods")


def parse_place(text: str) -> Place:
    """The place of `Place.text`."""
    country, _, region = text.partition("-")
    return Place(country, region)


def place_of(delivery: Place | None, billing: Place) -> Place:
    """Where the order is taxed: where its goods go, or, if none are shipped (None), the billing address."""
    return billing if delivery is None else delivery


def tax_place(address: Mapping[str, Any]) -> Place:
    """The place whose taxes a checked address has. Monaco is FR-MC, a house in Livigno IT-Livigno; an area with a VAT
    of its own counts only with a postal code of that area, or without one."""
    country, area, code = (str(address.get(part) or "") for part in ("country", "country_area", "postal_code"))
    compact = compact_code(code)
    found = territories.sharing_vat(country) or territories.by_address(country, area, compact)
    if found is not None:
        return Place(found.vat_country or found.country, found.code)
    return Place(country, "" if territories.contradicts(country, area, compact) else area)

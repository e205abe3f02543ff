"""Places: where an order is taxed, and which countries share the European Union's VAT."""

from dataclasses import dataclass

from domain.european_union import EU_COUNTRIES


@dataclass(frozen=True)
class Place:
    """`country`: ISO 3166-1 alpha-2; `region`: the code of its area without the country, "" where none is known."""

    country: str
    region: str = ""

    @property
    def text(self) -> str:
        """CA-QC, or DE: the form in which orders store it."""
        return f"{self.country}-{self.region}" if self.region else self.country

    @property
    def is_in_eu(self) -> bool:
        return self.country in EU_COUNTRIES


def parse_place(text: str) -> Place:
    """The place of `Place.text`."""
    country, _, region = text.partition("-")
    return Place(country, region)


def place_of(delivery: Place | None, billing: Place) -> Place:
    """Where the order is taxed: where its goods go, or, if none are shipped (None), the billing address."""
    return billing if delivery is None else delivery

"""What the pricing engine needs to know of tax: the rates at the place of sale, and those of the shop itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, get_args

from domain.tax.places import Place

TaxClass = Literal["service", "ebook", "book", "voucher", "goods", "delivery"]
TAX_CLASSES: tuple[TaxClass, ...] = get_args(TaxClass)
# Classes of what is moved from one place to another.
GOODS: frozenset[TaxClass] = frozenset({"book", "goods", "delivery"})

TaxKind = Literal["standard", "reverse_charge", "none"]


@dataclass(frozen=True)
class TaxComponent:
    """One rate: `label` is its name on documents, `percent` its rate, `rate_id` its row."""

    label: str
    percent: Decimal
    rate_id: int | None = None


Components = tuple[TaxComponent, ...]


@dataclass(frozen=True)
class TaxContext:
    """How an order is taxed at `place`.

    `rates`: class -> its components there; a class that is missing is not taxed. `home_rates`: the same at the shop's
    own place, which inclusive prices contain. `reverse_charge`: classes whose tax the buyer, a business, owes.
    """

    place: Place
    rates: Mapping[TaxClass, Components] = field(default_factory=dict)
    home_rates: Mapping[TaxClass, Components] = field(default_factory=dict)
    reverse_charge: frozenset[TaxClass] = frozenset()
    buyer_vat_id: str = ""

    @property
    def kind(self) -> TaxKind:
        """The kind of tax of the whole order: reverse_charge as soon as one class is; none: the shop is not registered
        there."""
        if self.reverse_charge:
            return "reverse_charge"
        return "standard" if any(self.rates.values()) else "none"

    def components(self, tax_class: TaxClass) -> Components:
        """The components that a line of the class is charged."""
        return () if tax_class in self.reverse_charge else self.rates.get(tax_class, ())

    def home_components(self, tax_class: TaxClass) -> Components:
        return self.home_rates.get(tax_class, ())

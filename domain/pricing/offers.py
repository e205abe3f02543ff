"""Input of a quote: the lines of a cart, and the offers that lower their prices."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Kind = Literal["percent", "amount", "price"]
ZERO = Decimal("0.00")


@dataclass(frozen=True)
class Offer:
    """A reduction of prices: of a coupon or of an organisation's contract.

    `name` is the display name, `scope` a text of what it applies to. kind percent: `value` percent off each unit;
    amount: `value` off each unit of a line, or once off a whole cart; price: `value` is the price of one unit.
    """

    name: str
    kind: Kind
    value: Decimal
    minimum: Decimal = ZERO
    # all | course | item | the slug of a category.
    applies_to: str = "all"
    # Empty: every product that `applies_to` names.
    products: frozenset[int] = frozenset()
    scope: str = "everything"

    def unit_price(self, unit: Decimal) -> Decimal:
        """The price of one unit under the offer, unrounded; never below 0."""
        if self.kind == "percent":
            return unit - unit * self.value / 100
        if self.kind == "amount":
            return max(ZERO, unit - self.value)
        return self.value


@dataclass(frozen=True)
class Line:
    """One product of a cart. `sale_price` is None outside the sale; prices are of one unit."""

    id: int
    kind: Literal["course", "item"]
    category: str
    list_price: Decimal
    sale_price: Decimal | None = None
    quantity: int = 1
    organisation: Offer | None = None
    code: Offer | None = None

    @property
    def unit(self) -> Decimal:
        """The price of one unit after sale: the base of percentages and minimums."""
        return self.list_price if self.sale_price is None else min(self.sale_price, self.list_price)

    @property
    def base(self) -> Decimal:
        return self.unit * self.quantity

"""Input of a quote: the lines of a cart, the offers that lower their prices, and the chosen delivery."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from domain.tax.context import TaxClass

Kind = Literal["percent", "amount", "price"]
ZERO = Decimal("0.00")


@dataclass(frozen=True)
class OfferRef:
    """Which coupon or contract an offer comes from: its row."""

    kind: Literal["coupon", "contract"]
    id: int


@dataclass(frozen=True)
class Window:
    """From when to when a price or an offer holds, as it was when the quote was made; None: no such limit."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True)
class Offer:
    """A reduction of prices: of a coupon or of an organisation's contract.

    `name` is the display name, `scope` a text of what it applies to. kind percent: `value` percent off each unit;
    amount: `value` off each unit of a line, or once off a whole cart; price: `value` is the price of one unit.
    `once_per_order`, of an amount alone: a code takes it off its line once, and one line alone may have the code.
    The engine does not compare `window` with the time: only offers that hold are passed to it.
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
    ref: OfferRef | None = None
    window: Window | None = None
    once_per_order: bool = False

    def unit_price(self, unit: Decimal) -> Decimal:
        """The price of one unit under the offer, unrounded; never below 0."""
        if self.kind == "percent":
            return unit - unit * self.value / 100
        if self.kind == "amount":
            return max(ZERO, unit - self.value)
        return self.value


@dataclass(frozen=True)
class Line:
    """One product of a cart. `sale_price` is None outside the sale, `sale_window` that of the sale; prices are of one
    unit. `other_contracts`: offers of further contracts, none of them lower than `organisation`: they change no price,
    and are stored to explain it, as is `promised_until`: list and sale price are those that a cart link promises until
    then."""

    id: int
    kind: Literal["course", "item"]
    category: str
    list_price: Decimal
    sale_price: Decimal | None = None
    quantity: int = 1
    organisation: Offer | None = None
    code: Offer | None = None
    tax_class: TaxClass = "service"
    sale_window: Window | None = None
    other_contracts: tuple[Offer, ...] = ()
    promised_until: datetime | None = None

    @property
    def unit(self) -> Decimal:
        """The price of one unit after sale: the base of percentages and minimums."""
        return self.list_price if self.sale_price is None else min(self.sale_price, self.list_price)

    @property
    def base(self) -> Decimal:
        return self.unit * self.quantity


@dataclass(frozen=True)
class Delivery:
    """The chosen delivery service. `price`: what it costs this order before tax; `list_price`: what it costs below
    `free_from`, the sum of shipped lines from which it is free (None: it never is)."""

    service: str
    price: Decimal
    list_price: Decimal
    free_from: Decimal | None = None
    rate_id: int | None = None

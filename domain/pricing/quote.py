"""Output of the engine: prices and their steps, in major units and for the whole line unless a name has `unit`."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from domain.pricing.offers import ZERO, OfferRef
from domain.shop_settings.shop import PriceMode
from domain.tax.context import TaxClass, TaxKind
from domain.tax.places import Place

StepName = Literal["list", "sale", "organisation", "code", "coupon", "tax"]
LineKind = Literal["product", "delivery"]
# The id of the delivery line: no product has it.
DELIVERY_ID = 0


@dataclass(frozen=True)
class StepFacts:
    """What a step was computed from. `percent`: of an offer or a tax rate; `value`: an offer's amount or unit price,
    or the sale price of one unit; `base`: the amount that the step applies to; `rate_id`: the row of a rate."""

    percent: Decimal | None = None
    value: Decimal | None = None
    base: Decimal | None = None
    rate_id: int | None = None


@dataclass(frozen=True)
class Step:
    """One step of a line's price: `change` is negative for a reduction, `total` is the line's price after the step.

    `included`: tax that the price contains. A step `tax` either adds tax (change), names the tax inside (included), or
    takes the home rate's tax out of a price (a negative change) where none is due.
    """

    step: StepName
    name: str
    change: Decimal
    total: Decimal
    included: Decimal = ZERO
    ref: OfferRef | None = None
    facts: StepFacts | None = None

    @property
    def is_due_tax(self) -> bool:
        return self.step == "tax" and self.change >= 0

    @property
    def tax(self) -> Decimal:
        """The tax that is due by this step, added or included."""
        return self.change + self.included if self.is_due_tax else ZERO

    @property
    def removed_tax(self) -> Decimal:
        return -self.change if self.step == "tax" and self.change < 0 else ZERO


@dataclass(frozen=True)
class RejectedOffer:
    """An offer that applies to the line but was not used: `total` is the price of the line with it.

    reason higher: another offer is lower; equal: an offer before it gives the same price.
    """

    step: StepName
    name: str
    total: Decimal
    reason: Literal["higher", "equal"]
    message: str
    ref: OfferRef | None = None


@dataclass(frozen=True)
class Refusal:
    """An offer that a rule refused for one line, or (line_id None) for the whole cart."""

    step: StepName
    name: str
    line_id: int | None
    reason: str
    message: str
    ref: OfferRef | None = None


@dataclass(frozen=True)
class PricedLine:
    """`unit_price` is what one unit costs before tax and what is taken off once: by the cart's coupon, or from several
    units by a code that counts once per order; `unit_discount` what the line's code took off it (None: no code lowered
    it). `id` is the product's, or DELIVERY_ID."""

    id: int
    quantity: int
    unit_price: Decimal
    unit_discount: Decimal | None
    steps: tuple[Step, ...]
    rejected_offers: tuple[RejectedOffer, ...]
    kind: LineKind = "product"
    tax_class: TaxClass = "service"

    @property
    def total(self) -> Decimal:
        """What is paid for the line, with tax."""
        return self.steps[-1].total

    @property
    def offered(self) -> Decimal:
        """The price after offers and before any step of tax: what free delivery is compared with."""
        return [step.total for step in self.steps if step.step != "tax"][-1]

    @cached_property
    def taxes(self) -> tuple[Step, ...]:
        """The steps of the tax that is due, one a component."""
        return tuple(step for step in self.steps if step.is_due_tax)

    @cached_property
    def tax(self) -> Decimal:
        return sum((step.tax for step in self.taxes), ZERO)

    @property
    def net(self) -> Decimal:
        return self.total - self.tax

    @property
    def removed_tax(self) -> Decimal:
        return sum((step.removed_tax for step in self.steps), ZERO)


@dataclass(frozen=True)
class Quote:
    """Amounts of the whole order; `place` None: not taxed yet.

    subtotal (quantity x unit price of each product) - discount (what is taken off once) + delivery (before tax)
    + tax (exclusive prices) - removed_tax (inclusive prices where no tax is due) = total = sum of the lines.
    With inclusive prices `tax` is inside the total.
    """

    engine_version: int
    currency: str
    price_mode: PriceMode
    place: Place | None
    tax_kind: TaxKind
    lines: tuple[PricedLine, ...]
    refusals: tuple[Refusal, ...]
    subtotal: Decimal
    discount: Decimal
    delivery: Decimal
    tax: Decimal
    removed_tax: Decimal
    total: Decimal

    @property
    def products(self) -> tuple[PricedLine, ...]:
        return tuple(line for line in self.lines if line.kind == "product")

    @property
    def delivery_lines(self) -> tuple[PricedLine, ...]:
        return tuple(line for line in self.lines if line.kind == "delivery")

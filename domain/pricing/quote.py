"""Output of the engine: prices and their steps, in major units and for the whole line unless a name has `unit`."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

StepName = Literal["list", "sale", "organisation", "code", "coupon", "tax"]


@dataclass(frozen=True)
class Step:
    """One step of a line's price: `change` is negative for a reduction, `total` is the line's price after the step."""

    step: StepName
    name: str
    change: Decimal
    total: Decimal


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


@dataclass(frozen=True)
class Refusal:
    """An offer that a rule refused for one line, or (line_id None) for the whole cart."""

    step: StepName
    name: str
    line_id: int | None
    reason: str
    message: str


@dataclass(frozen=True)
class PricedLine:
    """`unit_price` is what one unit costs before the cart's coupon and tax; `unit_discount` what the line's code took
    off it (None: no code lowered the price)."""

    id: int
    quantity: int
    unit_price: Decimal
    unit_discount: Decimal | None
    steps: tuple[Step, ...]
    rejected_offers: tuple[RejectedOffer, ...]

    @property
    def total(self) -> Decimal:
        return self.steps[-1].total


@dataclass(frozen=True)
class Quote:
    """subtotal (quantity x unit price of each line) - discount (the cart's coupon) + tax = total = sum of the lines."""

    lines: tuple[PricedLine, ...]
    refusals: tuple[Refusal, ...]
    subtotal: Decimal
    discount: Decimal
    tax: Decimal
    total: Decimal
